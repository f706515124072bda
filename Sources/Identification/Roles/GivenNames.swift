/// Common given names in the languages of most spines, folded.
///
/// They distinguish a person's name from a title.
enum GivenNames {
    static func contains(_ word: String) -> Bool { names.contains(word) }

    private static let names: Set<String> = Set(
        """
        aaron abdulrazak abigail adam adnan adrian agatha agnes ahdaf ahmed aimee aisha akira akwaeke alaa alain alan \
        albert alberto aldous alejandro aleksandr alessandro alex alexander alexandra alexandre alexis alfred ali \
        alice alicia alison allen almudena amanda amelia amin amina amit amitav amy ana anais anders andre andrea \
        andreas andrei andres andrew andy angela angelika angie anil anita anja anjali ann anna anne annette annie \
        anthony antoine anton antonia antonio antony anuradha aravind arcadi arjun arnaldur arthur arto arturo arun \
        arundhati arvind ashok asif assia astrid audrey august axel ayesha ayobami azar barbara barry bart ben \
        benedict benjamin bernard bernd bernhard bertolt bessel beth betty bill binyavanga blake bob bonnie boris \
        brad bradley bram brandon brene bret brett brian brigitte bruce bruno bryan byron caetano cal calvin \
        cameron camilla camille carl carla carlo carlos carlotta carmen carol carolina caroline carolyn carson \
        cassandra catherine cecelia cecilia cecily celeste celia celine cesar chad chaim charlaine charlene charles \
        charlie charlotte cheryl chester chiara chigozie chika chimamanda chinua chitra chloe chris christa \
        christian christie christina christine christoph christopher chuck cixin claire clara clarissa clark claude \
        claudia claudio clement clifford clifton clint clive clyde colin colleen colm colson conan connie conor \
        constance cordelia corey corinne cormac cornelia cory courtney craig cristian cristobal curt curtis cynthia \
        cyril cyrus daisy dale damian damon dan dana daniel daniela danielle danny dante daphne daria darren \
        dashiell dave david davis dawid dean debbie deborah dee deepa deepak delia denis denise dennis derek \
        desmond dexter diana diane dick diego dietmar dimitri dinah dinesh dirk dmitri dolores domenico dominic \
        dominique don donald donatella donna donovan dora doreen dorian doris dorota dorothea dorothee dorothy \
        dorrit doug douglas douglass drew dwight earvin eckart eckhart ed edda edgar edith edmund edna eduard \
        eduardo edward edwin eileen eka elaine eleanor elena elfriede eli elias elif elinor eliot elisa elisabeth \
        elise eliza elizabeth ella ellen elliott ellis elmore elsa elspeth elvira emanuel emil emile emilia emilie \
        emilio emily emma emmanuel encarna enid enrique enzo eric erica erich erik erika erin erlend ernest \
        ernestine ernesto ernst errol ervin erwin esteban estelle esther ethan ethel eudora eugene eugenia eugenio \
        eulalia eusebio eva evan eve evelina evelyn ewan ezra fabio fabrice fannie fanny fatema fatima fay federico \
        felicia felicity felipe felix ferdinand fernando feroz ferran filip fiona flannery flora florence florian \
        floyd forrest frances francesca francesco francine francis francisca francisco franck franco francois \
        francoise frank frans franz fred frederic frederica frederick frederik freya friedrich fritjof fritz funmi \
        fyodor gabriel gabriela gabriele gabriella gabrielle gail gareth gary gaston gauri gavin gemma gene \
        genevieve geoff geoffrey george georges gerald geraldine gerard gerda gerhard gerhart germaine gerry gert \
        gertrude gian gianni gil giles gillian gina giorgio giovanni gisela gita giulia giuliano giuseppe gladys \
        glen glenn gloria godfrey goran gordon grace graeme graham greg gregory greta gretchen griffin guido \
        guilherme guillaume guillermo gunter gunther gustav gustave gustavo guy gwen gwendolyn hakan hal halldor \
        hamid hamilton hanif hank hanna hannah hannes hans hansjorg harald hari harlan harold harper harriet harry \
        haruki haruo harvey hasan hassan hazel heather hector heidi heinrich heinz helen helena helene helga helmut \
        helmuth helon hendrik henning henri henrik henrique henry herbert herbie heribert herman hermann hermione \
        hernan herve hervey hilary hilda hildegard hiro hiroko hiromi hiroshi hisham honore horacio horst howard \
        hubert hughes hugo humberto humphrey hunter hussein hyeonseo ian ibrahim ida ignacio ignasi igor ilona ilse \
        iluminada immanuel imran imre ina indira ines inge ingeborg ingrid inigo iny ira irene irina iris irma \
        irvin irving isaac isabel isabella isabelle isaiah isaias isidro ismael ismail ismat italo ivan ivano ivo \
        ivor jacinto jack jackie jacob jacqueline jacques jaime jakob jamal james jamil jan jana jane janet janice \
        jared jaroslav jasmin jasmine jason jasper jaspreet javi javier jay jean jeanette jeanine jeanne jeannette \
        jed jeet jeff jeffery jeffrey jen jennifer jenny jens jeremias jeremy jerome jerry jerzy jesper jess jesse \
        jessica jessie jesus jhon jhumpa jill jim jimmy jo joachim joakim joan joana joanna joanne joao joaquim \
        joaquin jocelyn jochen jodi joe joel joelle johan johann johanna johannes john johnny jojo jokha jolanta \
        jon jonah jonas jonathan jonny jordan jordana jordi jorge jorn jose josef josep joseph josephine josette \
        joshua joss josue joyce juan juana judith jules juli julia julian julie julien juliet julio julius june \
        junichiro jurgen juri justin justine kai kaitlyn kamala kamila kaori karel karen kari karim karin karl \
        karla karolina kaspar kate katharina katherine kathleen kathrin kathryn kathy kati katie katja katrin kay \
        kayo kazuo keigo keiko keith kelly ken kendra kenji kenneth kent kenzaburo kerry kerstin kevin khaled \
        khushwant kiera kiku kim kimberly kiran kirsten kishore kit kitty klaus knut kobo konrad kristen kristin \
        kristina krzysztof kurt kurtis kwame kyle laila lakshmi lale lana lars laura laurel laurell lauren laurence \
        laurent laurie lavinia lawrence lea leah lee leif leigh leila lelia lemony lena leo leon leonard leonardo \
        leonie leonora leopold leopoldo leroy lesley leslie lester leticia lev lewis liane lidia lilian lillian \
        lily lina linda lindsay lindsey linus lionel lisa lisbeth lise liv liz lizzie llibert lloyd lluis lluisa \
        logan lois lola loren lorenzo loretta lorna lorraine lorrie lothar lou louis louisa louise lowell luc luca \
        lucia luciano lucie lucien lucinda lucy ludwig luigi luis luisa luiz lukas luke luther lutz lydia lynda \
        lyndon lynn lynne mabel macarena madeleine madeline madison mae magda magdalena maggie magnus mahasweta \
        mahmoud maite malala malcolm mandy manel manfred manju manoj manolo manu manuel mara marc marcel marcella \
        marcello marcelo marcia marcos marcus marek margaret margarita marge margery margie margit margo margot \
        marguerita marguerite mari maria mariama marian marianne mariano maribel maricarmen marie marika marilo \
        marilyn marilynne marina mario marion marisa marjane marjorie mark markus marlen marlene marlon marsha \
        marshall marta martha martin martina martine marty marvin mary maryam masaji massimo mathias mathieu \
        mathilde matilde matt matteo matthew matthias maude maureen maurice mauricio max maxim maximilian maximo \
        maxine maxwell maya mayra meena meera megan mehmet mel melanie melinda melissa melvin merce mercedes \
        meredith meritxell merlin merritt mervyn mia micah michael michaela michaele michel michele michelle michio \
        mick mieko miguel miguelangel mika mikael mike mikhail mikkel milan mildred milena miles millie milton mimi \
        mina mindy minna mira miranda miriam miroslav misha mitch mitchell mohamed mohammad mohammed mohan mohsen \
        mohsin moira moises molly mona monica monika montserrat mordecai morgan moritz moshe muhammad muriel murray \
        myra myron nadeem nadezhda nadia nadine nafissa naguib nan nancy nanni naoki naomi natalia natalie natalya \
        natasha nate nathan nathaniel natsume natsuo nawal nayantara neal ned neel neha neil neill nele nell nellie \
        nelson nestor nevil ngaio ngugi nic niccolo nichola nicholas nicholson nick nicki nicola nicolas nicole \
        niels nigel nikesh nikita nikki nikola nikolai nikos nils nina nino nnedi noah noam noelia noelle nolan \
        noor nora norbert norma norman noviolet nuala nuno nuria nuruddin octavia odile okey olaf olav ole oleg \
        olen olga olive oliver olivia olivier omar onjali orhan oriol orson osamu oscar oskar osvaldo oswald \
        ottessa otto owen oyinkan pablo paco padma pamela pankaj paolo paquita parvati pascal pascale pat patricia \
        patrick patsy patti patty patxi paul paula paulette paulina pauline paulo pedro peg peggy penelope penny \
        pep per percy pere peregrine perry peter petina petr petra petros peyton phil philip philipp philippa \
        philippe phillip phoebe phyllis pia pierre piers pietro pilar piotr pippa polly pooja prem primo priscilla \
        priya prue quentin quim quincy quintin rabih rachel rae rafael rahul raimon raimundo rainer raj rajiv raju \
        ralf ralph ramon rana randall randi randy ranjit raoul raphael raquel rashid rasmus raul ravi ray raymond \
        raymundo rebecca reece regina reginald reiko reiner reinhard remi renata renate rene renee rex reyes rhonda \
        ricardo richard richards richelle rick ricki ricky riley ripley rita roald rob robert roberta roberto robin \
        robyn rocio rod roddy rodney rodrigo roger rohan rohinton rohit roland rolf romain roman romesh ron ronald \
        ronan roni rory rosa rosalia rosalind rosamund rosanna rosario rose roseanne rosemary roser rosie ross \
        rowan roxana roxane roy rubem ruben ruby rudolf rudyard rufus rupert rupi russell ruta ruth ryan ryu sabina \
        sabine sabrina sadegh sadie saki salim sallie sally salman salomon salvador salvatore sam samantha sameer \
        samira samuel sander sandor sandra sandy sanjay sanjeev santi santiago sara sarah sasha saskia satyajit \
        saul sayaka scott sean sebastia sebastian seiichi selma sergei sergi sergio seth severin shane shannon \
        sharon shashi shauna shawn shehan sheila shelby shelley sheri sherman sherry shigeru shirin shirley shobha \
        shobhaa shusaku shyam sibylle sid siddhartha sidney siegfried sigmund sigrid sigurd silas silke silvia \
        silvio simon simona simone sinclair siobhan siri slavenka slavoj sofia solomon sonia sonja sophia sophie \
        soren soseki spencer stacey stacy stan stanislaw stanley stefan stefanie stefano steffen stella stephan \
        stephane stephanie stephen stephenie stephenson steve steven stewart stieg stina stuart sue suketu sunil \
        sunita sunjeev suresh susan susana susanna susannah susanne susie suzanne suzy sven svetlana sybil sydney \
        sylvia sylvie tabitha tad tahar tahereh tahmima taiye tamara tamora tana tania tanja tara tariq tatiana \
        tayeb taylor ted teddy teju tennessee teodor terence teresa terry tess tessa thaddeus thea theo theodor \
        theodora theodore theresa therese thich thom thomas thor thornton thorsten tiago tibor tiffany tim timothy \
        tina tobias tobie tod todd tom tomas tomasz tomi toni tonino tony tonya tor torbjorn torsten toshikazu tove \
        tracey tracy trevor tricia tristan trudi truman tsitsi tucker tyler udo ulla ulrich ulrike uma umberto una \
        unai upton urs ursula usha uwe uzma vaclav val valentin valentina valeria valerie valerio vanessa vasco \
        vasily vaughan velma vera verena verna vernon veronica vicenc vicente vicki victor victoria vijay vikas \
        vikram viktor vilem vilhelm vincent viola violet violeta virginia vittorio vivek vivian vladimir vladislav \
        volker wade walker wallace wally walt walter wanda warren wassily wayne wendell wendy werner wes wesley \
        whitney wilbur wilfred wilhelm wilkie will willa william wilma winston wislawa wole wolf wolfgang woody \
        wulf wyndham xavi xavier xenia xinran yaa yaba yael yan yanick yanis yann yasmin yasmina yasunari yevgeny \
        yiyun yoko yolanda yoshi yukio yuko yuri yusuf yuval yves yvette yvonne zach zachary zadie zainab zane \
        zeruya zev zhang ziauddin zoe zoltan zora
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
