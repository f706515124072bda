import Bounds

/// Function words of the languages of most spines.
///
/// They carry little information, and a line that contains one is rarely a person's name.
package enum CommonWords {
    package static func contains(_ word: String) -> Bool { words.contains(word) }

    private static let words: Set<String> = Set(
        """
        the a an of and in to for with on at by from is it be as or not that this his her my your our how why what \
        who when where into about over under after before all no you we they them there without between through \
        der die das den dem des ein eine einer eines einem einen und oder im in von vom zu zum zur mit fur auf aus \
        bei nach uber unter wie was wer wenn nicht ist als auch am an um ohne durch gegen \
        le la les l un une des du de d et ou en dans au aux pour par sur avec sans est qui que quoi ne pas ce cette \
        el los las lo unos unas y o del al con por para sin su sus es se que como mas mi tu \
        il lo gli i e di da nel nella della delle dei degli che non per tra fra una uno \
        els dels amb per i o un una uns unes que com no es al als pel pels \
        o os as um uma do dos das na no nas nos com sem por que \
        de het een en van voor met op te in aan bij uit niet \
        и в во на с со о об по из за к ко у от до для не ни но а как что кто где когда это этот или без под над при через \
        между я мы вы он она они мои твои свои его ее их нас вас мне меня тебя все всех \
        і й у з зі та що як на до від для не це або про за під
        """.split(separator: " ").map(String.init))
}

/// Names of publishers, imprints and their series, and the genres and labels beside them, as printed on spines, folded.
package enum Publishers {
    /// Whether the folded words of a line are a publisher's name and little else.
    package static func isPublisher(_ words: [String]) -> Bool {
        let meaningful = words.filter { !decorations.contains($0) }
        guard !words.isEmpty else { return false }
        guard !meaningful.isEmpty else { return words.contains { imprintWords.contains($0) } }
        let text = meaningful.joined(separator: " ")
        if names.contains(text) || names.contains(meaningful.joined()) { return true }
        if meaningful.count == 1, isCompound(text) { return true }
        // Allows one wrong letter in a long name, or two; a word that is known was not misread.
        guard words.count > 1 || NameWords.odds(text) == nil else { return false }
        let folded = FoldedWord(text)
        let bytes = folded.bytes
        let isLong = bytes.count >= 10 || bytes.count == 9 && words.count == 1 && !NameWords.areNames([words])
        let wrong = isLong ? 2 : 1
        // Shorter words are names of people as often, if a letter is wrong.
        let isUnknown =
            bytes.count == 5 && words.count == 1 && NameWords.odds(text) == nil && !CommonWords.contains(text)
        let shortest = isUnknown ? bytes.count + 1 : bytes.count - wrong
        return (bytes.count >= 6 || isUnknown)
            && ClosedRange(ordered: shortest, bytes.count + wrong).contains { length in
                namesOfLength[length]?.contains { name in
                    // Each edit changes at most one letter on either side.
                    (name.letters ^ folded.letters).nonzeroBitCount <= 2 * wrong
                        && WordSimilarity.distance(name.bytes, bytes, atMost: wrong) != nil
                } ?? false
            }
    }

    /// Whether words are the names of one or more publishers, one after the other, and words that stand beside them.
    ///
    /// O(words).
    package static func areOnly(_ words: [String]) -> Bool {
        let longest = 4
        /// Whether the first words, as many as the index, can be divided into names; the second without any name.
        var divided = [(names: Bool, beside: Bool)](repeating: (false, false), count: words.count + 1)
        divided[0].beside = true
        for end in words.indices.map({ $0 + 1 }) {
            let isBeside = decorations.contains(words[end - 1])
            divided[end] = (isBeside && divided[end - 1].names, isBeside && divided[end - 1].beside)
            for start in Range(from: max(0, end - longest), upTo: end)
            where (divided[start].names || divided[start].beside)
                && names.contains(words[start..<end].filter { $0 != "and" }.joined(separator: " "))
            {
                divided[end].names = true
            }
        }
        return divided[words.count].names
    }

    /// Whether a line names an organisation rather than a person or a book, judged by its last words.
    package static func isOrganisation(_ words: [String]) -> Bool {
        guard let last = words.last, (2...6).contains(words.count) else { return false }
        return isWriting(words)
            || [
                "press", "verlag", "publishers", "publishing", "editores", "edicions", "ediciones",
                // Of series.
                "krimis", "romane", "reihe", "bibliothek", "klassiker", "classics", "classiques", "clasicos",
            ]
            .contains(last)
    }

    /// Whether a line names an organisation that writes books as often as it publishes them: `National Research Council`.
    static func isCorporateAuthor(_ words: [String]) -> Bool {
        isOrganisation(words) && isWriting(words)
    }

    private static func isWriting(_ words: [String]) -> Bool {
        words.last.map(writing.contains) == true || words.suffix(2) == ["test", "kitchen"]
    }

    private static let writing: Set<String> = ["institute", "council", "association"]

    /// Whether a word is common beside publishers' names but identifies none of them: `press`.
    package static func isDecoration(_ word: String) -> Bool { decorations.contains(word) }

    /// Whether a word is part of a publisher's name.
    package static func isPublisherWord(_ word: String) -> Bool {
        nameWords.contains(word) || imprintWords.contains(word)
    }

    private static let decorations: Set<String> = [
        "books", "book", "press", "verlag", "editions", "edition", "ediciones", "editorial", "editores", "editori",
        "publishing", "publishers", "classics", "paperbacks", "taschenbuch", "tb", "the", "and", "co", "inc", "ltd",
        "edicions", "libros", "editions", "editeur", "uk", "usa", "издательство", "изд", "москва", "ленинград",
    ]
    private static let imprintWords: Set<String> = [
        "verlag", "press", "books", "ediciones", "editorial", "edicions", "editions", "paperbacks", "taschenbuch",
        "publishers", "publishing", "university", "universitat", "издательство", "видавництво",
    ]
    static let names: Set<String> = Set(
        """
        penguin|puffin|pelican|vintage|picador|knopf|alfred a knopf|random house|harper|harpercollins|harper perennial|
        harper voyager|perennial|scholastic|bloomsbury|faber|faber faber|orbit|tor|tor fantasy|gollancz|ace|bantam|
        ballantine|del rey|dell|delacorte|doubleday|anchor|berkley|signet|plume|dutton|riverhead|viking|crown|
        broadway|three rivers|modern library|everymans library|everyman|oxford|oxford university|cambridge|
        cambridge university|princeton|princeton university|yale|yale university|harvard|harvard university|
        chicago|mit|the mit|springer|wiley|john wiley sons|oreilly|o reilly|addison wesley|addison|wesley|sams|newnes|prentice hall|pearson|
        mcgraw hill|elsevier|academic|crc|chapman hall|routledge|palgrave|macmillan|pan|pan macmillan|hachette|
        little brown|grand central|simon schuster|scribner|atria|pocket|gallery|touchstone|free|farrar straus giroux|
        fsg|henry holt|holt|st martins|griffin|flatiron|tor teen|houghton mifflin|mariner|harcourt|w w norton|norton|
        liveright|basic|public affairs|publicaffairs|perseus|da capo|hyperion|ecco|william morrow|morrow|avon|eos|
        walker|candlewick|chronicle|abrams|taschen|phaidon|thames hudson|dk|dorling kindersley|usborne|ladybird|
        ravensburger|carlsen|oetinger|beltz|arena|thienemann|loewe|dtv|rororo|rowohlt|fischer|s fischer|suhrkamp|insel|
        reclam|diogenes|hanser|carl hanser|kiepenheuer witsch|kiwi|ullstein|list|heyne|goldmann|blanvalet|btb|
        luchterhand|piper|droemer|knaur|droemer knaur|bastei|bastei lubbe|lubbe|aufbau|rutten loening|beck|c h beck|
        klett cotta|eichborn|dumont|kein aber|unionsverlag|limmat|nagel kimche|ammann|hoffmann campe|rotbuch|wagenbach|
        gu|grafe unzer|kosmos|kosel|herder|patmos|hugendubel|ars edition|coppenrath|egmont|ehapa|tokyopop|cross cult|
        gallimard|folio|flammarion|seuil|points|grasset|albin michel|fayard|actes sud|minuit|les editions de minuit|
        stock|plon|julliard|laffont|robert laffont|belfond|presses de la cite|pocket jeunesse|le livre de poche|
        livre de poche|j ai lu|jai lu|10 18|hachette jeunesse|casterman|dupuis|dargaud|glenat|delcourt|larousse|
        presses universitaires de france|puf|payot|la decouverte|odile jacob|
        anagrama|alfaguara|planeta|seix barral|tusquets|destino|espasa|catedra|alianza|gredos|akal|siruela|salamandra|
        minotauro|ediciones b|debolsillo|debate|taurus|lumen|grijalbo|plaza janes|mondadori|paidos|ariel|critica|
        edhasa|acantilado|impedimenta|libros del asteroide|austral|booket|sm|anaya|edelvives|edebe|paidotribo|inde|
        empuries|edicions 62|columna|proa|quaderns crema|la campana|la magrana|cossetania|
        einaudi|feltrinelli|adelphi|rizzoli|bur|garzanti|bompiani|laterza|sellerio|il mulino|marsilio|
        companhia das letras|record|rocco|porto|dom quixote|relogio d agua|
        de bezige bij|prometheus|atlas contact|meulenhoff|querido|ambo anthos|
        yearling|dover|shambhala|new directions|grove|graywolf|melville house|europa|serpents tail|canongate|granta|
        virago|sceptre|hodder|hodder stoughton|headline|corgi|black swan|transworld|arrow|hutchinson|windmill|
        jonathan cape|chatto windus|harvill secker|abacus|sphere|piatkus|quercus|orion|weidenfeld nicolson|phoenix|
        octopus|pushkin|verso|pluto|polity|zed|sage|head first|no starch|packt|manning|apress|pragmatic bookshelf|
        lonely planet|national geographic|marvel|dc|vertigo|image|dark horse|viz|kodansha|fantagraphics|
        beacon|tarcher|hay house|rodale|zondervan|thomas nelson|ignatius|baker|ivp|tyndale|
        back bay|vintage international|vintage contemporaries|penguin classics|penguin modern classics|
        oxford worlds classics|nyrb|new york review|mysterious|soho|forge|baen|daw|roc|spectra|zebra|kensington|
        harlequin|mira|mills boon|sourcebooks|warner|falconguides|signet classic|signet classics|basis|yearling|aladdin|avon camelot|garnier|garnier flammarion|john murray|strand|kindler|artemis|reprodukt|knesebeck|prestel|birkhauser|vieweg|teubner|de gruyter|oldenbourg|hogrefe|thieme|elsevier urban fischer|
        perigee|tarcher perigee|razorbill|philomel|g p putnams sons|putnam|square fish|greenwillow|
        harper trophy|harpertrophy|harper one|harperone|harper business|harper teen|harperteen|atheneum|simon pulse|
        penguin press|nan a talese|spiegel grau|schocken|pantheon|library of america|belknap|counterpoint|
        soft skull|tin house|akashic|coffee house|milkweed|dalkey archive|fourth estate|4th estate|hamish hamilton|
        michael joseph|allen lane|harvill|vintage classics|wordsworth|wordsworth classics|collins classics|
        puffin classics|puffin modern classics|modern classics|bantam classics|dover thrift|barnes noble|
        worlds classics|teach yourself|falcon guides|insel taschenbuch|suhrkamp taschenbuch|edition suhrkamp|
        bibliothek suhrkamp|fischer taschenbuch|fischer klassik|rotfuchs|rororo rotfuchs|rowohlt taschenbuch|irowohlt|
        dtv junior|dtv klassik|dtv premium|reihe hanser|serie piper|universal bibliothek|reclam universal bibliothek|
        weltbild|bertelsmann|c bertelsmann|buchergilde gutenberg|manesse|matthes seitz|dva|econ|
        folio junior|folio classique|folio policier|gf flammarion|nrf|rivages|rivages noir|christian bourgois|
        letras hispanicas|compactos anagrama|panorama de narrativas|narrativas hispanicas|el barco de vapor|
        barco de vapor|alianza editorial|punto de lectura|nube de tinta|circulo de lectores|rba|maeva|
        galaxia gutenberg|la butxaca|labutxaca|ara llibres|club editor|enciclopedia catalana|oscar mondadori|
        universale economica|super et|gli adelphi|iperborea|neri pozza|salani|newton compton|leya|livros do brasil|
        cia das letras|de arbeiderspers|arbeiderspers|cossee|nijgh van ditmar|luitingh sijthoff|van oorschot|norstedts|
        albert bonniers|bonniers|gyldendal|aschehoug|cappelen damm|wsoy|
        librio|pocket books|presses pocket|methuen|heinemann|secker warburg|warburg|bodley head|constable|allen unwin|
        hogarth|flamingo|fontana|panther|paladin|mentor|minerva|collins|duckworth|gallery books|amacom|jossey bass|
        sitepoint|peachpit|que|new riders|cengage|brooks cole|thomson|heinle|pitman|kluwer|brill|peter lang|mohr siebeck|
        duncker humblot|vandenhoeck ruprecht|nomos|campus|transcript|haupt|orell fussli|zytglogge|haymon|residenz|zsolnay|
        deuticke|jung jung|wallstein|schoffling|galiani|mare|arche|haffmans|steidl|klett|cornelsen|westermann|duden|
        langenscheidt|pons|gerstenberg|aufbau taschenbuch|blanvalet taschenbuch|carroll graf|affirm|text publishing|
        allen and unwin|scribe|black inc|hardie grant|wakefield|magabala|fremantle|speak|speak penguin|dial|holiday house|
        roaring brook|farrar straus|north point|hill wang|stein day|crowell|lippincott|mcclelland stewart|anansi|
        house of anansi|douglas mcintyre|goose lane|collier|meridian|spectrum|bison|harvest|compass|liverpool university|
        john hopkins university|johns hopkins university|stanford university|cornell university|duke university|
        columbia university|university of chicago|university of california|
        sci tech|fiction|nonfiction|non fiction|young adult|large print|
        sunday telegraph|daily telegraph|sunday times|new york times|washington post|boston globe|financial times|
        los angeles times|wall street journal|die zeit|der spiegel|le monde|
        bestseller|spiegel bestseller|new york times bestseller|national bestseller|thriller|psychothriller|krimi|
        kriminalroman|fantasy|a novel|
        аст|эксмо|азбука|азбука классика|азбука аттикус|азбука премиум|иностранка|махаон|просвещение|дрофа|росмэн|наука|мир|
        детская литература|художественная литература|молодая гвардия|советскии писатель|правда|радуга|прогресс|
        московскии рабочии|лениздат|вагриус|текст|фантом пресс|центрполиграф|рипол классик|олма пресс|терра|мысль|
        политиздат|питер|альпина|альпина паблишер|альпина нон фикшн|манн иванов и фербер|миф|corpus|корпус|астрель|
        белыи город|самокат|розовыи жираф|клевер|лабиринт|детгиз|малыш|искусство|книга|современник|амфора|эксклюзивная классика|
        всемирная литература|библиотека всемирнои литературы|фолио|наш формат|веселка|видавництво старого лева
        """.split(separator: "|").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    /// By their lengths in UTF-8.
    private static let namesOfLength = Dictionary(grouping: names.map { FoldedWord($0) }, by: \.count)
    private static let nameWords: Set<String> = Set(
        names.flatMap { $0.split(separator: " ").map(String.init) }.filter { $0.count >= 4 })
}
