// swift-format-ignore-file

/// The weights of `MatchingModel` as JSON, written by Scripts/fitting.
///
/// A string literal, because one of bytes takes 70 times as long to compile.
enum MatchingWeights {
    static let json = #"""
{
 "photo": {
  "bias": -0.106429,
  "products": [],
  "weights": {
   "authorCoverage": 0.746794,
   "authorMass": -0.0800728,
   "bareTitle": 0.16737,
   "contradiction": -0.477661,
   "crowd": 0.53781,
   "evidence": 0.225034,
   "evidenceLead": -0.0636243,
   "explained": 0.856397,
   "explainedByTitle": -0.698597,
   "explainedLetters": 0.392779,
   "figures": 0.219046,
   "fullCoverage": 0.655279,
   "fullRatio": 0.242841,
   "fullRatioLead": 0.587636,
   "hasAuthor": -3.49897,
   "kin": 1.76701,
   "led": 0.307587,
   "lines": 1.37951,
   "lowestScore": -0.726077,
   "mass": 0.956379,
   "plainRatio": -0.755725,
   "repeated": 1.74876,
   "rivals": 0.27633,
   "scoreLead": 0.71305,
   "surname": 0.498757,
   "surplus": 0.689323,
   "textLogit": 1.05922,
   "titleClearness": -0.35304,
   "titleCoverage": 0.468122,
   "titleExact": 0.202539,
   "titleMass": 0.232733,
   "titleMassLead": -0.454618,
   "titleMissing": -0.061965,
   "titlePartial": 0.929128,
   "titleWords": 1.5871,
   "unexplainedKnown": -0.140937
  }
 },
 "ranker": {
  "bias": -4.608326,
  "products": [],
  "weights": {
   "authorCoverage": -0.628692,
   "authorCoverageLead": -0.145474,
   "authorMass": 0.210346,
   "authorMassLead": -0.0822893,
   "authorsNamed": 0.257208,
   "callNumber": 1.07823,
   "commonShare": 2.33423,
   "contradiction": -1.06454,
   "evidence": -0.0562346,
   "evidenceLead": 0.384671,
   "explained": -0.958629,
   "explainedByAuthor": 0.44239,
   "explainedByTitle": 0.299955,
   "explainedLead": 1.48667,
   "explainedLetters": 1.03695,
   "explainedLettersLead": 2.15752,
   "explainedOfKnown": 0.57319,
   "figures": 0.193084,
   "fullCoverage": 0.730558,
   "fullCoverageLead": -0.668301,
   "fullRatio": -1.53402,
   "fullRatioLead": 2.82625,
   "given": 0.00655046,
   "hasAuthor": -1.0819,
   "hasSubtitle": -0.056347,
   "otherPerson": 0.0853906,
   "plainRatio": -1.9157,
   "plainRatioLead": 1.79374,
   "rank": 3.26274,
   "rivals": -0.545983,
   "seriesCoverage": 0.711527,
   "sortedRatio": -0.402436,
   "sortedRatioLead": 3.49176,
   "spineMass": 0.0811252,
   "spineWords": 0.510955,
   "subtitleCoverage": 3.66381,
   "subtitleMass": -0.7267,
   "surname": 0.243952,
   "surnamePartial": 0.049209,
   "titleBroken": 0.237753,
   "titleClearness": -0.967848,
   "titleCoverage": 0.207457,
   "titleCoverageLead": -0.598436,
   "titleExact": 0.904811,
   "titleFirst": -0.283664,
   "titleLast": 0.716375,
   "titleLetters": -0.0768246,
   "titleMass": -0.305158,
   "titleMassLead": 0.448843,
   "titleMissing": 0.899693,
   "titleOrder": 0.814308,
   "titlePartial": 1.51207,
   "titlePartialLead": 0.942425,
   "titleRarest": 0.0145419,
   "titleSkipped": -1.42276,
   "titleWords": -0.189996,
   "unexplainedKnown": -0.122225,
   "unexplainedMass": -0.051554,
   "unexplainedUnknown": 0.0133731
  }
 },
 "reading": {
  "bias": -20.385195,
  "products": [],
  "weights": {
   "besideCatalog": -0.0235515,
   "commonWord": 0.262889,
   "figures": -0.894471,
   "hasAuthor": 0.492026,
   "leftOver": -0.19567,
   "lines": -0.408865,
   "lowestScore": -0.548192,
   "manyWords": -0.108213,
   "oneWord": -1.63742,
   "shortTitle": -0.601165,
   "titleScore": 22.721,
   "titleShare": -1.2639,
   "twoWords": -0.37365
  }
 },
 "roles": {
  "bias": 0,
  "weights": {
   "author": -1.252,
   "authorApart": -2.623,
   "authorAround": 0.5444,
   "authorCommon": -1.258,
   "authorDigit": 2.444,
   "authorFirst": 1.629,
   "authorGap": -2.419,
   "authorGivenOnly": -1.937,
   "authorHeight": 1.226,
   "authorHeightSpread": -1.501,
   "authorLast": 1.237,
   "authorLikeness": 1.683,
   "authorLines": -0.5856,
   "authorManyWords": -2.967,
   "authorMark": -4.584,
   "authorMixedDirection": 0.6841,
   "authorMoreLikely": 0.8134,
   "authorNameShaped": 0.04212,
   "authorOdds": 2.105,
   "authorOneWord": -0.4939,
   "authorOtherCase": 0.4214,
   "authorPublisher": -2.868,
   "authorShort": -0.8885,
   "authorTaller": -1.128,
   "authorUnknown": 1.359,
   "authorWeak": -27.15,
   "authorWorstOdds": 0.6427,
   "cut": -2.929,
   "cutCasing": 1.257,
   "cutEdge": 1.02,
   "cutMarked": 1.727,
   "cutOddsChange": -0.6854,
   "cutOff": 2.224,
   "restContinues": -1.737,
   "restHeight": -0.4753,
   "restName": 0.2413,
   "restOpen": -3.017,
   "restProminence": -1.872,
   "restShare": 0.1474,
   "restText": -2.649,
   "titleComma": 2.948,
   "titleCommon": -0.423,
   "titleFigures": -0.7285,
   "titleGap": -7.132,
   "titleGivenFirst": 1.073,
   "titleHeight": 8.448,
   "titleHeightSpread": -2.437,
   "titleLikeness": 0.3283,
   "titleLines": 4.252,
   "titleManyWords": -1.857,
   "titleMixedCase": 0.4281,
   "titleMixedDirection": -6.47,
   "titleNotText": -0.691,
   "titleOdds": -1.151,
   "titleOneWord": -1.311,
   "titleOpen": -3.191,
   "titleProminence": -4.347,
   "titleShare": 0.8872,
   "titleShort": -3.494,
   "titleSkips": 0.1543,
   "titleSpeck": 1.086,
   "titleStartsCommon": -0.08418,
   "titleTopOdds": -1.145,
   "titleTwoWords": -0.5969,
   "titleUnknown": 2.064,
   "titleWeak": -11.44
  }
 },
 "text": {
  "bias": -8.252409,
  "products": [
   {
    "of": [
     "titleCoverage",
     "titleCoverage"
    ],
    "weight": 0.391585
   },
   {
    "of": [
     "titleCoverage",
     "titlePartial"
    ],
    "weight": -0.83448
   },
   {
    "of": [
     "titleCoverage",
     "authorCoverage"
    ],
    "weight": 0.74033
   },
   {
    "of": [
     "titleCoverage",
     "explained"
    ],
    "weight": 0.772828
   },
   {
    "of": [
     "titleCoverage",
     "titleMass"
    ],
    "weight": 0.0638348
   },
   {
    "of": [
     "titleCoverage",
     "callNumber"
    ],
    "weight": -0.439901
   },
   {
    "of": [
     "titleCoverage",
     "authorMass"
    ],
    "weight": 0.109159
   },
   {
    "of": [
     "titleCoverage",
     "unexplainedMass"
    ],
    "weight": -0.190876
   },
   {
    "of": [
     "titleCoverage",
     "fullRatio"
    ],
    "weight": -1.86662
   },
   {
    "of": [
     "titleCoverage",
     "evidenceLead"
    ],
    "weight": -0.0652863
   },
   {
    "of": [
     "titleCoverage",
     "titleMassLead"
    ],
    "weight": 0.700643
   },
   {
    "of": [
     "titleCoverage",
     "hasAuthor"
    ],
    "weight": -0.288356
   },
   {
    "of": [
     "titleCoverage",
     "score"
    ],
    "weight": -0.475439
   },
   {
    "of": [
     "titleCoverage",
     "scoreLead"
    ],
    "weight": 0.0256971
   },
   {
    "of": [
     "titleCoverage",
     "contradiction"
    ],
    "weight": -0.556577
   },
   {
    "of": [
     "titleCoverage",
     "titleMissing"
    ],
    "weight": -2.27571
   },
   {
    "of": [
     "titleCoverage",
     "titleWords"
    ],
    "weight": 3.42956
   },
   {
    "of": [
     "titleCoverage",
     "explainedLetters"
    ],
    "weight": 0.214769
   },
   {
    "of": [
     "titleCoverage",
     "titleSkipped"
    ],
    "weight": 2.43261
   },
   {
    "of": [
     "titleCoverage",
     "titleBroken"
    ],
    "weight": -2.25885
   },
   {
    "of": [
     "titleCoverage",
     "otherPerson"
    ],
    "weight": 1.72911
   },
   {
    "of": [
     "titlePartial",
     "titlePartial"
    ],
    "weight": 0.560009
   },
   {
    "of": [
     "titlePartial",
     "authorCoverage"
    ],
    "weight": 0.162091
   },
   {
    "of": [
     "titlePartial",
     "explained"
    ],
    "weight": 0.629023
   },
   {
    "of": [
     "titlePartial",
     "titleMass"
    ],
    "weight": -0.115112
   },
   {
    "of": [
     "titlePartial",
     "callNumber"
    ],
    "weight": 1.38996
   },
   {
    "of": [
     "titlePartial",
     "authorMass"
    ],
    "weight": -0.268211
   },
   {
    "of": [
     "titlePartial",
     "unexplainedMass"
    ],
    "weight": 0.0145554
   },
   {
    "of": [
     "titlePartial",
     "fullRatio"
    ],
    "weight": -0.571496
   },
   {
    "of": [
     "titlePartial",
     "evidenceLead"
    ],
    "weight": -0.242843
   },
   {
    "of": [
     "titlePartial",
     "titleMassLead"
    ],
    "weight": -0.268519
   },
   {
    "of": [
     "titlePartial",
     "hasAuthor"
    ],
    "weight": 0.213975
   },
   {
    "of": [
     "titlePartial",
     "score"
    ],
    "weight": -0.201751
   },
   {
    "of": [
     "titlePartial",
     "scoreLead"
    ],
    "weight": -0.0140339
   },
   {
    "of": [
     "titlePartial",
     "contradiction"
    ],
    "weight": 0.340585
   },
   {
    "of": [
     "titlePartial",
     "titleMissing"
    ],
    "weight": 0.876605
   },
   {
    "of": [
     "titlePartial",
     "titleWords"
    ],
    "weight": 3.38453
   },
   {
    "of": [
     "titlePartial",
     "explainedLetters"
    ],
    "weight": 0.39815
   },
   {
    "of": [
     "titlePartial",
     "titleSkipped"
    ],
    "weight": -3.12726
   },
   {
    "of": [
     "titlePartial",
     "titleBroken"
    ],
    "weight": 1.29277
   },
   {
    "of": [
     "titlePartial",
     "otherPerson"
    ],
    "weight": -0.758037
   },
   {
    "of": [
     "authorCoverage",
     "authorCoverage"
    ],
    "weight": -1.1764
   },
   {
    "of": [
     "authorCoverage",
     "explained"
    ],
    "weight": 1.40022
   },
   {
    "of": [
     "authorCoverage",
     "titleMass"
    ],
    "weight": 0.273485
   },
   {
    "of": [
     "authorCoverage",
     "callNumber"
    ],
    "weight": -1.28518
   },
   {
    "of": [
     "authorCoverage",
     "authorMass"
    ],
    "weight": -0.848933
   },
   {
    "of": [
     "authorCoverage",
     "unexplainedMass"
    ],
    "weight": 0.0535888
   },
   {
    "of": [
     "authorCoverage",
     "fullRatio"
    ],
    "weight": -0.958686
   },
   {
    "of": [
     "authorCoverage",
     "evidenceLead"
    ],
    "weight": -0.313333
   },
   {
    "of": [
     "authorCoverage",
     "titleMassLead"
    ],
    "weight": 0.335622
   },
   {
    "of": [
     "authorCoverage",
     "hasAuthor"
    ],
    "weight": 0.308615
   },
   {
    "of": [
     "authorCoverage",
     "score"
    ],
    "weight": 0.210321
   },
   {
    "of": [
     "authorCoverage",
     "scoreLead"
    ],
    "weight": -0.193528
   },
   {
    "of": [
     "authorCoverage",
     "contradiction"
    ],
    "weight": -0.31898
   },
   {
    "of": [
     "authorCoverage",
     "titleMissing"
    ],
    "weight": 0.170234
   },
   {
    "of": [
     "authorCoverage",
     "titleWords"
    ],
    "weight": -0.211163
   },
   {
    "of": [
     "authorCoverage",
     "explainedLetters"
    ],
    "weight": -0.186098
   },
   {
    "of": [
     "authorCoverage",
     "titleSkipped"
    ],
    "weight": -3.32129
   },
   {
    "of": [
     "authorCoverage",
     "titleBroken"
    ],
    "weight": -2.1403
   },
   {
    "of": [
     "authorCoverage",
     "otherPerson"
    ],
    "weight": 3.94668
   },
   {
    "of": [
     "explained",
     "explained"
    ],
    "weight": 0.56596
   },
   {
    "of": [
     "explained",
     "titleMass"
    ],
    "weight": -0.0608777
   },
   {
    "of": [
     "explained",
     "callNumber"
    ],
    "weight": 0.728893
   },
   {
    "of": [
     "explained",
     "authorMass"
    ],
    "weight": 0.805786
   },
   {
    "of": [
     "explained",
     "unexplainedMass"
    ],
    "weight": 0.308964
   },
   {
    "of": [
     "explained",
     "fullRatio"
    ],
    "weight": 0.279993
   },
   {
    "of": [
     "explained",
     "evidenceLead"
    ],
    "weight": 0.185846
   },
   {
    "of": [
     "explained",
     "titleMassLead"
    ],
    "weight": 0.123958
   },
   {
    "of": [
     "explained",
     "hasAuthor"
    ],
    "weight": 0.745717
   },
   {
    "of": [
     "explained",
     "score"
    ],
    "weight": 0.105351
   },
   {
    "of": [
     "explained",
     "scoreLead"
    ],
    "weight": -0.000114462
   },
   {
    "of": [
     "explained",
     "contradiction"
    ],
    "weight": -1.84144
   },
   {
    "of": [
     "explained",
     "titleMissing"
    ],
    "weight": -0.623016
   },
   {
    "of": [
     "explained",
     "titleWords"
    ],
    "weight": -2.64253
   },
   {
    "of": [
     "explained",
     "explainedLetters"
    ],
    "weight": 0.214232
   },
   {
    "of": [
     "explained",
     "titleSkipped"
    ],
    "weight": 2.73507
   },
   {
    "of": [
     "explained",
     "titleBroken"
    ],
    "weight": -1.36301
   },
   {
    "of": [
     "explained",
     "otherPerson"
    ],
    "weight": 0.365316
   },
   {
    "of": [
     "titleMass",
     "titleMass"
    ],
    "weight": -0.0918411
   },
   {
    "of": [
     "titleMass",
     "callNumber"
    ],
    "weight": -0.373362
   },
   {
    "of": [
     "titleMass",
     "authorMass"
    ],
    "weight": 0.221003
   },
   {
    "of": [
     "titleMass",
     "unexplainedMass"
    ],
    "weight": -0.0380203
   },
   {
    "of": [
     "titleMass",
     "fullRatio"
    ],
    "weight": -0.692712
   },
   {
    "of": [
     "titleMass",
     "evidenceLead"
    ],
    "weight": 0.0394057
   },
   {
    "of": [
     "titleMass",
     "titleMassLead"
    ],
    "weight": -0.0540958
   },
   {
    "of": [
     "titleMass",
     "hasAuthor"
    ],
    "weight": -0.174016
   },
   {
    "of": [
     "titleMass",
     "score"
    ],
    "weight": 0.0342283
   },
   {
    "of": [
     "titleMass",
     "scoreLead"
    ],
    "weight": -0.0682866
   },
   {
    "of": [
     "titleMass",
     "contradiction"
    ],
    "weight": -0.166467
   },
   {
    "of": [
     "titleMass",
     "titleMissing"
    ],
    "weight": 0.00560834
   },
   {
    "of": [
     "titleMass",
     "titleWords"
    ],
    "weight": -0.0883147
   },
   {
    "of": [
     "titleMass",
     "explainedLetters"
    ],
    "weight": 0.235445
   },
   {
    "of": [
     "titleMass",
     "titleSkipped"
    ],
    "weight": -0.451537
   },
   {
    "of": [
     "titleMass",
     "titleBroken"
    ],
    "weight": -0.664156
   },
   {
    "of": [
     "titleMass",
     "otherPerson"
    ],
    "weight": -0.228707
   },
   {
    "of": [
     "callNumber",
     "callNumber"
    ],
    "weight": 0.306314
   },
   {
    "of": [
     "callNumber",
     "authorMass"
    ],
    "weight": -0.784723
   },
   {
    "of": [
     "callNumber",
     "unexplainedMass"
    ],
    "weight": 0.174917
   },
   {
    "of": [
     "callNumber",
     "fullRatio"
    ],
    "weight": 0.862942
   },
   {
    "of": [
     "callNumber",
     "evidenceLead"
    ],
    "weight": 0.177488
   },
   {
    "of": [
     "callNumber",
     "titleMassLead"
    ],
    "weight": 0.234626
   },
   {
    "of": [
     "callNumber",
     "hasAuthor"
    ],
    "weight": 0.190916
   },
   {
    "of": [
     "callNumber",
     "score"
    ],
    "weight": 0.345605
   },
   {
    "of": [
     "callNumber",
     "scoreLead"
    ],
    "weight": -0.0163853
   },
   {
    "of": [
     "callNumber",
     "contradiction"
    ],
    "weight": -0.513159
   },
   {
    "of": [
     "callNumber",
     "titleMissing"
    ],
    "weight": -0.0061138
   },
   {
    "of": [
     "callNumber",
     "titleWords"
    ],
    "weight": 0.713716
   },
   {
    "of": [
     "callNumber",
     "explainedLetters"
    ],
    "weight": -0.846707
   },
   {
    "of": [
     "callNumber",
     "titleSkipped"
    ],
    "weight": 1.22232
   },
   {
    "of": [
     "callNumber",
     "titleBroken"
    ],
    "weight": 0.434577
   },
   {
    "of": [
     "callNumber",
     "otherPerson"
    ],
    "weight": -0.133169
   },
   {
    "of": [
     "authorMass",
     "authorMass"
    ],
    "weight": -0.0910756
   },
   {
    "of": [
     "authorMass",
     "unexplainedMass"
    ],
    "weight": -0.0102593
   },
   {
    "of": [
     "authorMass",
     "fullRatio"
    ],
    "weight": -0.0823222
   },
   {
    "of": [
     "authorMass",
     "evidenceLead"
    ],
    "weight": -0.046364
   },
   {
    "of": [
     "authorMass",
     "titleMassLead"
    ],
    "weight": -0.0262647
   },
   {
    "of": [
     "authorMass",
     "hasAuthor"
    ],
    "weight": 0.115788
   },
   {
    "of": [
     "authorMass",
     "score"
    ],
    "weight": 0.100941
   },
   {
    "of": [
     "authorMass",
     "scoreLead"
    ],
    "weight": 0.044143
   },
   {
    "of": [
     "authorMass",
     "contradiction"
    ],
    "weight": 0.148006
   },
   {
    "of": [
     "authorMass",
     "titleMissing"
    ],
    "weight": 0.208713
   },
   {
    "of": [
     "authorMass",
     "titleWords"
    ],
    "weight": 0.244802
   },
   {
    "of": [
     "authorMass",
     "explainedLetters"
    ],
    "weight": 0.147531
   },
   {
    "of": [
     "authorMass",
     "titleSkipped"
    ],
    "weight": 2.3776
   },
   {
    "of": [
     "authorMass",
     "titleBroken"
    ],
    "weight": 0.289879
   },
   {
    "of": [
     "authorMass",
     "otherPerson"
    ],
    "weight": -0.203573
   },
   {
    "of": [
     "unexplainedMass",
     "unexplainedMass"
    ],
    "weight": -0.00386523
   },
   {
    "of": [
     "unexplainedMass",
     "fullRatio"
    ],
    "weight": -0.151115
   },
   {
    "of": [
     "unexplainedMass",
     "evidenceLead"
    ],
    "weight": 0.14033
   },
   {
    "of": [
     "unexplainedMass",
     "titleMassLead"
    ],
    "weight": 0.0284701
   },
   {
    "of": [
     "unexplainedMass",
     "hasAuthor"
    ],
    "weight": -0.151872
   },
   {
    "of": [
     "unexplainedMass",
     "score"
    ],
    "weight": 0.0915767
   },
   {
    "of": [
     "unexplainedMass",
     "scoreLead"
    ],
    "weight": 0.359491
   },
   {
    "of": [
     "unexplainedMass",
     "contradiction"
    ],
    "weight": 0.0809422
   },
   {
    "of": [
     "unexplainedMass",
     "titleMissing"
    ],
    "weight": -0.0547919
   },
   {
    "of": [
     "unexplainedMass",
     "titleWords"
    ],
    "weight": 0.0831304
   },
   {
    "of": [
     "unexplainedMass",
     "explainedLetters"
    ],
    "weight": -0.654937
   },
   {
    "of": [
     "unexplainedMass",
     "titleSkipped"
    ],
    "weight": -1.3694
   },
   {
    "of": [
     "unexplainedMass",
     "titleBroken"
    ],
    "weight": 0.229357
   },
   {
    "of": [
     "unexplainedMass",
     "otherPerson"
    ],
    "weight": 0.0045108
   },
   {
    "of": [
     "fullRatio",
     "fullRatio"
    ],
    "weight": 1.73299
   },
   {
    "of": [
     "fullRatio",
     "evidenceLead"
    ],
    "weight": 0.125781
   },
   {
    "of": [
     "fullRatio",
     "titleMassLead"
    ],
    "weight": -0.779041
   },
   {
    "of": [
     "fullRatio",
     "hasAuthor"
    ],
    "weight": -1.536
   },
   {
    "of": [
     "fullRatio",
     "score"
    ],
    "weight": 0.731713
   },
   {
    "of": [
     "fullRatio",
     "scoreLead"
    ],
    "weight": 0.248477
   },
   {
    "of": [
     "fullRatio",
     "contradiction"
    ],
    "weight": -0.456289
   },
   {
    "of": [
     "fullRatio",
     "titleMissing"
    ],
    "weight": 0.539588
   },
   {
    "of": [
     "fullRatio",
     "titleWords"
    ],
    "weight": -0.923764
   },
   {
    "of": [
     "fullRatio",
     "explainedLetters"
    ],
    "weight": 1.12963
   },
   {
    "of": [
     "fullRatio",
     "titleSkipped"
    ],
    "weight": -0.515137
   },
   {
    "of": [
     "fullRatio",
     "titleBroken"
    ],
    "weight": 6.04563
   },
   {
    "of": [
     "fullRatio",
     "otherPerson"
    ],
    "weight": 1.84303
   },
   {
    "of": [
     "evidenceLead",
     "evidenceLead"
    ],
    "weight": 0.0168517
   },
   {
    "of": [
     "evidenceLead",
     "titleMassLead"
    ],
    "weight": 0.0265507
   },
   {
    "of": [
     "evidenceLead",
     "hasAuthor"
    ],
    "weight": 0.0898826
   },
   {
    "of": [
     "evidenceLead",
     "score"
    ],
    "weight": -0.106584
   },
   {
    "of": [
     "evidenceLead",
     "scoreLead"
    ],
    "weight": -0.0290846
   },
   {
    "of": [
     "evidenceLead",
     "contradiction"
    ],
    "weight": 0.207609
   },
   {
    "of": [
     "evidenceLead",
     "titleMissing"
    ],
    "weight": -0.0110664
   },
   {
    "of": [
     "evidenceLead",
     "titleWords"
    ],
    "weight": 0.142348
   },
   {
    "of": [
     "evidenceLead",
     "explainedLetters"
    ],
    "weight": 0.140097
   },
   {
    "of": [
     "evidenceLead",
     "titleSkipped"
    ],
    "weight": -0.0734881
   },
   {
    "of": [
     "evidenceLead",
     "titleBroken"
    ],
    "weight": 0.818515
   },
   {
    "of": [
     "evidenceLead",
     "otherPerson"
    ],
    "weight": 0.0538847
   },
   {
    "of": [
     "titleMassLead",
     "titleMassLead"
    ],
    "weight": 0.235902
   },
   {
    "of": [
     "titleMassLead",
     "hasAuthor"
    ],
    "weight": 0.217473
   },
   {
    "of": [
     "titleMassLead",
     "score"
    ],
    "weight": -0.102113
   },
   {
    "of": [
     "titleMassLead",
     "scoreLead"
    ],
    "weight": -0.205363
   },
   {
    "of": [
     "titleMassLead",
     "contradiction"
    ],
    "weight": -0.208064
   },
   {
    "of": [
     "titleMassLead",
     "titleMissing"
    ],
    "weight": 0.347483
   },
   {
    "of": [
     "titleMassLead",
     "titleWords"
    ],
    "weight": 0.257438
   },
   {
    "of": [
     "titleMassLead",
     "explainedLetters"
    ],
    "weight": 0.734955
   },
   {
    "of": [
     "titleMassLead",
     "titleSkipped"
    ],
    "weight": 5.44458
   },
   {
    "of": [
     "titleMassLead",
     "titleBroken"
    ],
    "weight": -0.444969
   },
   {
    "of": [
     "titleMassLead",
     "otherPerson"
    ],
    "weight": -0.393459
   },
   {
    "of": [
     "hasAuthor",
     "hasAuthor"
    ],
    "weight": -0.158455
   },
   {
    "of": [
     "hasAuthor",
     "score"
    ],
    "weight": 0.265918
   },
   {
    "of": [
     "hasAuthor",
     "scoreLead"
    ],
    "weight": -0.013734
   },
   {
    "of": [
     "hasAuthor",
     "contradiction"
    ],
    "weight": -0.0338174
   },
   {
    "of": [
     "hasAuthor",
     "titleMissing"
    ],
    "weight": 0.367867
   },
   {
    "of": [
     "hasAuthor",
     "titleWords"
    ],
    "weight": -0.524146
   },
   {
    "of": [
     "hasAuthor",
     "explainedLetters"
    ],
    "weight": 0.444159
   },
   {
    "of": [
     "hasAuthor",
     "titleSkipped"
    ],
    "weight": 0.416051
   },
   {
    "of": [
     "hasAuthor",
     "titleBroken"
    ],
    "weight": -0.544489
   },
   {
    "of": [
     "hasAuthor",
     "otherPerson"
    ],
    "weight": -1.91053
   },
   {
    "of": [
     "score",
     "score"
    ],
    "weight": -0.275938
   },
   {
    "of": [
     "score",
     "scoreLead"
    ],
    "weight": -0.147897
   },
   {
    "of": [
     "score",
     "contradiction"
    ],
    "weight": 0.124768
   },
   {
    "of": [
     "score",
     "titleMissing"
    ],
    "weight": 0.129708
   },
   {
    "of": [
     "score",
     "titleWords"
    ],
    "weight": 0.478113
   },
   {
    "of": [
     "score",
     "explainedLetters"
    ],
    "weight": 0.308569
   },
   {
    "of": [
     "score",
     "titleSkipped"
    ],
    "weight": -2.5659
   },
   {
    "of": [
     "score",
     "titleBroken"
    ],
    "weight": -2.09708
   },
   {
    "of": [
     "score",
     "otherPerson"
    ],
    "weight": -0.854077
   },
   {
    "of": [
     "scoreLead",
     "scoreLead"
    ],
    "weight": -0.0887812
   },
   {
    "of": [
     "scoreLead",
     "contradiction"
    ],
    "weight": -0.53945
   },
   {
    "of": [
     "scoreLead",
     "titleMissing"
    ],
    "weight": -0.40769
   },
   {
    "of": [
     "scoreLead",
     "titleWords"
    ],
    "weight": -0.418463
   },
   {
    "of": [
     "scoreLead",
     "explainedLetters"
    ],
    "weight": 0.189734
   },
   {
    "of": [
     "scoreLead",
     "titleSkipped"
    ],
    "weight": -1.6926
   },
   {
    "of": [
     "scoreLead",
     "titleBroken"
    ],
    "weight": 0.246119
   },
   {
    "of": [
     "scoreLead",
     "otherPerson"
    ],
    "weight": 0.871969
   },
   {
    "of": [
     "contradiction",
     "contradiction"
    ],
    "weight": 0.0312263
   },
   {
    "of": [
     "contradiction",
     "titleMissing"
    ],
    "weight": 0.00937983
   },
   {
    "of": [
     "contradiction",
     "titleWords"
    ],
    "weight": -0.913877
   },
   {
    "of": [
     "contradiction",
     "explainedLetters"
    ],
    "weight": 1.25907
   },
   {
    "of": [
     "contradiction",
     "titleSkipped"
    ],
    "weight": -1.95953
   },
   {
    "of": [
     "contradiction",
     "titleBroken"
    ],
    "weight": -1.29744
   },
   {
    "of": [
     "contradiction",
     "otherPerson"
    ],
    "weight": 0.425895
   },
   {
    "of": [
     "titleMissing",
     "titleMissing"
    ],
    "weight": 0.0251565
   },
   {
    "of": [
     "titleMissing",
     "titleWords"
    ],
    "weight": 0.144877
   },
   {
    "of": [
     "titleMissing",
     "explainedLetters"
    ],
    "weight": -0.153844
   },
   {
    "of": [
     "titleMissing",
     "titleSkipped"
    ],
    "weight": -1.4766
   },
   {
    "of": [
     "titleMissing",
     "titleBroken"
    ],
    "weight": -0.0861175
   },
   {
    "of": [
     "titleMissing",
     "otherPerson"
    ],
    "weight": 0.159257
   },
   {
    "of": [
     "titleWords",
     "titleWords"
    ],
    "weight": 0.349461
   },
   {
    "of": [
     "titleWords",
     "explainedLetters"
    ],
    "weight": 1.12535
   },
   {
    "of": [
     "titleWords",
     "titleSkipped"
    ],
    "weight": -2.07308
   },
   {
    "of": [
     "titleWords",
     "titleBroken"
    ],
    "weight": 3.34684
   },
   {
    "of": [
     "titleWords",
     "otherPerson"
    ],
    "weight": -0.884914
   },
   {
    "of": [
     "explainedLetters",
     "explainedLetters"
    ],
    "weight": 1.02309
   },
   {
    "of": [
     "explainedLetters",
     "titleSkipped"
    ],
    "weight": 0.424333
   },
   {
    "of": [
     "explainedLetters",
     "titleBroken"
    ],
    "weight": -3.20694
   },
   {
    "of": [
     "explainedLetters",
     "otherPerson"
    ],
    "weight": -0.602747
   },
   {
    "of": [
     "titleSkipped",
     "titleSkipped"
    ],
    "weight": 2.89741
   },
   {
    "of": [
     "titleSkipped",
     "titleBroken"
    ],
    "weight": -1.70953
   },
   {
    "of": [
     "titleSkipped",
     "otherPerson"
    ],
    "weight": -3.41021
   },
   {
    "of": [
     "titleBroken",
     "titleBroken"
    ],
    "weight": 0.138165
   },
   {
    "of": [
     "titleBroken",
     "otherPerson"
    ],
    "weight": -0.0779846
   },
   {
    "of": [
     "otherPerson",
     "otherPerson"
    ],
    "weight": -0.624157
   }
  ],
  "weights": {
   "authorCoverage": 0.308615,
   "authorCoverageLead": -0.189211,
   "authorMass": 0.115788,
   "authorMassLead": -0.63065,
   "authorsNamed": -0.575666,
   "callNumber": 0.554708,
   "commonShare": 1.17373,
   "contradiction": -0.0231412,
   "evidence": -0.0390137,
   "evidenceLead": 0.0458323,
   "explained": 0.425872,
   "explainedByAuthor": -0.770247,
   "explainedByTitle": -3.17562,
   "explainedLead": 1.2337,
   "explainedLetters": -0.556913,
   "explainedLettersLead": 1.43352,
   "explainedOfKnown": -0.425319,
   "figures": 0.0846502,
   "fullCoverage": 0.537487,
   "fullCoverageLead": 0.175736,
   "fullRatio": -0.0816775,
   "fullRatioLead": 1.58023,
   "given": -0.0885801,
   "hasAuthor": -0.158455,
   "hasSubtitle": 0.248283,
   "otherPerson": -0.624157,
   "plainRatio": -0.0865784,
   "plainRatioLead": 1.74937,
   "rank": 1.47404,
   "rivals": 0.351397,
   "score": 0.109526,
   "scoreLead": 0.0979684,
   "seriesCoverage": 0.839043,
   "sortedRatio": 0.991987,
   "sortedRatioLead": 1.95949,
   "spineMass": 0.392058,
   "spineWords": 0.0986972,
   "subtitleCoverage": 1.29797,
   "subtitleMass": -0.814568,
   "surname": 0.598052,
   "surnamePartial": -0.00553196,
   "titleBroken": -1.64525,
   "titleClearness": -0.335113,
   "titleCoverage": -0.670369,
   "titleCoverageLead": -0.616676,
   "titleExact": 1.11848,
   "titleFirst": -0.199421,
   "titleLast": 0.720211,
   "titleLetters": -0.822354,
   "titleMass": -0.12899,
   "titleMassLead": -0.0381373,
   "titleMissing": 0.136445,
   "titleOrder": 1.01803,
   "titlePartial": -0.32853,
   "titlePartialLead": 0.41194,
   "titleRarest": 2.16088,
   "titleSkipped": -0.128608,
   "titleWords": 0.727881,
   "unexplainedKnown": -0.707422,
   "unexplainedMass": -0.153541,
   "unexplainedUnknown": 0.405346
  }
 },
 "version": 1
}
"""#
}
