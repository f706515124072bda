// swift-format-ignore-file

/// The weights of `MatchingModel` as JSON, written by Scripts/fitting.
///
/// A string literal, because one of bytes takes 70 times as long to compile.
enum MatchingWeights {
    static let json = #"""
{
 "photo": {
  "bias": -1.704229,
  "products": [],
  "weights": {
   "authorCoverage": 1.22871,
   "authorMass": -0.343651,
   "bareTitle": 0.353804,
   "contradiction": -1.35781,
   "crowd": 0.306271,
   "evidence": 0.299267,
   "evidenceLead": -0.0724188,
   "explained": 1.66623,
   "explainedByTitle": -1.38368,
   "explainedLetters": 0.688189,
   "figures": 0.740596,
   "fullCoverage": 0.23447,
   "fullRatio": 1.9992,
   "fullRatioLead": -0.0639731,
   "hasAuthor": -3.7286,
   "kin": 1.63077,
   "led": 0.381643,
   "lines": 2.90986,
   "lowestScore": -0.57576,
   "mass": 0.940501,
   "plainRatio": -1.02032,
   "repeated": 3.20833,
   "rivals": 0.168617,
   "scoreLead": 0.586098,
   "surname": 0.446219,
   "surplus": 0.777555,
   "textLogit": 1.04482,
   "titleClearness": -0.216176,
   "titleCoverage": -0.573504,
   "titleExact": -0.390835,
   "titleMass": 0.40314,
   "titleMassLead": -0.0866684,
   "titleMissing": -0.0540368,
   "titlePartial": 2.07561,
   "titleWords": 1.81439,
   "unexplainedKnown": -0.238019
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
  "bias": -8.180081,
  "products": [],
  "weights": {
   "besideCatalog": -0.120679,
   "commonWord": -0.358629,
   "figures": -0.0646367,
   "hasAuthor": 1.38301,
   "leftOver": -0.195379,
   "lines": 1.34623,
   "lowestScore": 0.049524,
   "manyWords": 0.386844,
   "oneWord": -1.02675,
   "shortTitle": 0.377973,
   "titleHeight": 1.52933,
   "titleOdds": -0.898354,
   "titleScore": 7.01919,
   "titleShare": 0.48783,
   "titleSure": 0.589837,
   "titleTopOdds": -0.0842486,
   "twoWords": -0.567988,
   "waySure": -0.0185837
  }
 },
 "roles": {
  "bias": 0,
  "weights": {
   "author": -1.209,
   "authorApart": -2.146,
   "authorAround": 0.6867,
   "authorCommon": -1.129,
   "authorDigit": 3.391,
   "authorFirst": 2.014,
   "authorGap": -2.92,
   "authorGivenOnly": -2.058,
   "authorHeight": 1.267,
   "authorHeightSpread": -1.796,
   "authorLast": 1.404,
   "authorLikeness": 1.605,
   "authorLines": -0.4392,
   "authorManyWords": -3.357,
   "authorMark": -4.445,
   "authorMixedDirection": 0.9826,
   "authorMoreLikely": 0.5861,
   "authorNameShaped": 0.2403,
   "authorOdds": 2.099,
   "authorOneWord": -0.5826,
   "authorOtherCase": 0.1254,
   "authorPublisher": -2.44,
   "authorShort": -2.495,
   "authorTaller": -1.555,
   "authorUnknown": 1.29,
   "authorWeak": -27.92,
   "authorWorstOdds": 0.7826,
   "cut": -2.667,
   "cutCasing": 1.663,
   "cutEdge": 1.021,
   "cutMarked": 1.77,
   "cutOddsChange": -0.7214,
   "cutOff": 1.93,
   "restContinues": -2.14,
   "restHeight": -0.4291,
   "restName": 0.1453,
   "restOpen": -2.815,
   "restProminence": -0.2233,
   "restShare": -1.424,
   "restText": -3.069,
   "titleComma": 3.421,
   "titleCommon": -0.5123,
   "titleFigures": -0.3032,
   "titleGap": -6.194,
   "titleGivenFirst": 0.9914,
   "titleHeight": 7.328,
   "titleHeightSpread": -2.589,
   "titleLikeness": 0.1725,
   "titleLines": 3.815,
   "titleManyWords": -1.832,
   "titleMixedCase": 0.4373,
   "titleMixedDirection": -6.344,
   "titleNotText": -2.991,
   "titleOdds": -1.297,
   "titleOneWord": -1.446,
   "titleOpen": -3.352,
   "titleProminence": -3.262,
   "titleShare": 0.3679,
   "titleShort": -2.512,
   "titleSkips": 0.02372,
   "titleSpeck": 0.5448,
   "titleStartsCommon": -0.1746,
   "titleTopOdds": -1.299,
   "titleTwoWords": -0.6898,
   "titleUnknown": 1.935,
   "titleWeak": -13.81
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
