/// Common given names in the languages of most spines, folded.
///
/// They distinguish a person's name from a title.
enum GivenNames {
    static func contains(_ word: String) -> Bool { names.contains(word) }

    private static let names: Set<String> = Set(
        """
        aaron abigail adam adrian agatha agnes aimee alain alan albert alberto aldous alejandro aleksandr alessandro \
        alex alexander alexandra alexandre alexis alfred alice alicia alison allen almudena amanda amelia amy ana \
        anais anders andre andrea andreas andrei andres andrew andy angela angelika angie anita anja ann anna anne \
        annette annie anthony antoine anton antonia antonio antony aravind arcadi arnaldur arthur arto arturo \
        arundhati astrid audrey august axel barbara barry bart ben benedict benjamin bernard bernd bernhard bertolt \
        bessel beth betty bill blake bob bonnie boris brad bradley bram brandon brene bret brett brian brigitte \
        bruce bruno bryan byron caetano cal calvin cameron camilla camille carl carla carlo carlos carlotta carmen \
        carol carolina caroline carolyn carson cassandra catherine cecelia cecilia cecily celeste celia celine cesar \
        chad chaim charlaine charlene charles charlie charlotte cheryl chester chiara chimamanda chloe chris christa \
        christian christie christina christine christoph christopher chuck cixin claire clara clarissa clark claude \
        claudia claudio clement clifford clifton clint clive clyde colin colleen colm colson conan connie conor \
        constance cordelia corey corinne cormac cornelia cory courtney craig cristian cristobal curt curtis cynthia \
        cyril cyrus daisy dale damian damon dan dana daniel daniela danielle danny dante daphne daria darren \
        dashiell dave david davis dawid dean debbie deborah dee delia denis denise dennis derek desmond dexter diana \
        diane dick diego dietmar dimitri dinah dirk dmitri dolores domenico dominic dominique don donald donatella \
        donna donovan dora doreen dorian doris dorota dorothea dorothee dorothy dorrit doug douglas douglass drew \
        dwight earvin eckart eckhart ed edda edgar edith edmund edna eduard eduardo edward edwin eileen elaine \
        eleanor elena elfriede eli elias elif elinor eliot elisa elisabeth elise eliza elizabeth ella ellen elliott \
        ellis elmore elsa elspeth elvira emanuel emil emile emilia emilie emilio emily emma emmanuel encarna enid \
        enrique enzo eric erica erich erik erika erin erlend ernest ernestine ernesto ernst errol ervin erwin \
        esteban estelle esther ethan ethel eudora eugene eugenia eugenio eulalia eusebio eva evan eve evelina evelyn \
        ewan ezra fabio fabrice fannie fanny fatima fay federico felicia felicity felipe felix ferdinand fernando \
        ferran filip fiona flannery flora florence florian floyd forrest frances francesca francesco francine \
        francis francisca francisco franck franco francois francoise frank frans franz fred frederic frederica \
        frederick frederik freya friedrich fritjof fritz fyodor gabriel gabriela gabriele gabriella gabrielle gail \
        gareth gary gaston gavin gemma gene genevieve geoff geoffrey george georges gerald geraldine gerard gerda \
        gerhard gerhart germaine gerry gert gertrude gian gianni gil giles gillian gina giorgio giovanni gisela \
        giulia giuliano giuseppe gladys glen glenn gloria godfrey goran gordon grace graeme graham greg gregory \
        greta gretchen griffin guido guilherme guillaume guillermo gunter gunther gustav gustave gustavo guy gwen \
        gwendolyn hakan hal halldor hamilton hank hanna hannah hannes hans hansjorg harald hari harlan harold harper \
        harriet harry haruki harvey hazel heather hector heidi heinrich heinz helen helena helene helga helmut \
        helmuth hendrik henning henri henrik henrique henry herbert herbie heribert herman hermann hermione hernan \
        herve hervey hilary hilda hildegard hiromi honore horacio horst howard hubert hughes hugo humberto humphrey \
        hunter hyeonseo ian ibrahim ida ignacio ignasi igor ilona ilse iluminada immanuel imre ina indira ines inge \
        ingeborg ingrid inigo iny ira irene irina iris irma irvin irving isaac isabel isabella isabelle isaiah \
        isaias isidro ismael ismail italo ivan ivano ivo ivor jacinto jack jackie jacob jacqueline jacques jaime \
        jakob james jan jana jane janet janice jared jaroslav jasmin jasmine jason jasper javi javier jay jean \
        jeanette jeanine jeanne jeannette jed jeff jeffery jeffrey jen jennifer jenny jens jeremias jeremy jerome \
        jerry jerzy jesper jess jesse jessica jessie jesus jhon jhumpa jill jim jimmy jo joachim joakim joan joana \
        joanna joanne joao joaquim joaquin jocelyn jochen jodi joe joel joelle johan johann johanna johannes john \
        johnny jojo jolanta jon jonah jonas jonathan jonny jordan jordana jordi jorge jorn jose josef josep joseph \
        josephine josette joshua joss josue joyce juan juana judith jules juli julia julian julie julien juliet \
        julio julius june jurgen juri justin justine kai kaitlyn kamila karel karen kari karim karin karl karla \
        karolina kaspar kate katharina katherine kathleen kathrin kathryn kathy kati katie katja katrin kay kazuo \
        keiko keith kelly ken kendra kenji kenneth kent kenzaburo kerry kerstin kevin khaled kiera kiku kim kimberly \
        kirsten kit kitty klaus knut kobo konrad kristen kristin kristina krzysztof kurt kurtis kyle lale lana lars \
        laura laurel laurell lauren laurence laurent laurie lavinia lawrence lea leah lee leif leigh leila lelia \
        lemony lena leo leon leonard leonardo leonie leonora leopold leopoldo leroy lesley leslie lester leticia lev \
        lewis liane lidia lilian lillian lily lina linda lindsay lindsey linus lionel lisa lisbeth lise liv liz \
        lizzie llibert lloyd lluis lluisa logan lois lola loren lorenzo loretta lorna lorraine lorrie lothar lou \
        louis louisa louise lowell luc luca lucia luciano lucie lucien lucinda lucy ludwig luigi luis luisa luiz \
        lukas luke luther lutz lydia lynda lyndon lynn lynne mabel macarena madeleine madeline madison mae magda \
        magdalena maggie magnus maite malala malcolm mandy manel manfred manolo manu manuel mara marc marcel \
        marcella marcello marcelo marcia marcos marcus marek margaret margarita marge margery margie margit margo \
        margot marguerita marguerite mari maria marian marianne mariano maribel maricarmen marie marika marilo \
        marilyn marilynne marina mario marion marisa marjane marjorie mark markus marlen marlene marlon marsha \
        marshall marta martha martin martina martine marty marvin mary massimo mathias mathieu mathilde matilde matt \
        matteo matthew matthias maude maureen maurice mauricio max maxim maximilian maximo maxine maxwell maya mayra \
        megan mehmet mel melanie melinda melissa melvin merce mercedes meredith meritxell merlin merritt mervyn mia \
        micah michael michaela michaele michel michele michelle michio mick miguel miguelangel mika mikael mike \
        mikhail mikkel milan mildred milena miles millie milton mimi mina mindy minna miranda miriam miroslav misha \
        mitch mitchell mohamed mohammed mohsin moira moises molly mona monica monika montserrat mordecai morgan \
        moritz moshe muhammad muriel murray myra myron nadezhda nadia nadine nafissa naguib nan nancy nanni naomi \
        natalia natalie natalya natasha nate nathan nathaniel neal ned neil neill nele nell nellie nelson nestor \
        nevil ngaio nic niccolo nichola nicholas nicholson nick nicki nicola nicolas nicole niels nigel nikki nikola \
        nikolai nikos nils nina nino nnedi noah noam noelia noelle nolan nora norbert norma norman nuala nuno nuria \
        octavia odile olaf olav ole oleg olen olga olive oliver olivia olivier omar orhan oriol orson osamu oscar \
        oskar osvaldo oswald ottessa otto owen pablo paco pamela paolo paquita pascal pascale pat patricia patrick \
        patsy patti patxi paul paula paulette paulina pauline paulo pedro peg peggy penelope penny pep per percy \
        pere peregrine perry peter petr petra petros peyton phil philip philipp philippa philippe phillip phoebe \
        phyllis pia pierre piers pietro pilar piotr pippa polly primo priscilla prue quentin quim quincy quintin \
        rachel rae rafael raimon raimundo rainer raj ralf ralph ramon rana randall randi randy raoul raphael raquel \
        rasmus raul ray raymond raymundo rebecca reece regina reginald reiko reiner reinhard remi renata renate rene \
        renee rex reyes rhonda ricardo richard richards richelle rick ricki ricky riley ripley rita roald rob robert \
        roberta roberto robin robyn rocio rod roddy rodney rodrigo roger rohinton roland rolf romain roman ron \
        ronald ronan roni rory rosa rosalia rosalind rosamund rosanna rosario rose roseanne rosemary roser rosie \
        ross rowan roxana roxane roy rubem ruben ruby rudolf rudyard rufus rupert rupi russell ruta ruth ryan sabina \
        sabine sabrina sadie saki sallie sally salman salomon salvador salvatore sam samantha sameer samuel sander \
        sandor sandra sandy santi santiago sara sarah sasha saskia saul scott sean sebastia sebastian selma sergei \
        sergi sergio seth severin shane shannon sharon shauna shawn sheila shelby shelley sheri sherman sherry \
        shigeru shirin shirley shobhaa sibylle sid sidney siegfried sigmund sigrid sigurd silas silke silvia silvio \
        simon simona simone sinclair siobhan siri slavenka slavoj sofia solomon sonia sonja sophia sophie soren \
        spencer stacey stacy stan stanislaw stanley stefan stefanie stefano steffen stella stephan stephane \
        stephanie stephen stephenie stephenson steve steven stewart stieg stina stuart sue susan susana susanna \
        susannah susanne susie suzanne suzy sven svetlana sybil sydney sylvia sylvie tabitha tad tahereh tamara \
        tamora tana tania tanja tara tariq tatiana taylor ted teddy tennessee teodor terence teresa terry tess tessa \
        thaddeus thea theo theodor theodora theodore theresa therese thich thom thomas thor thornton thorsten tiago \
        tibor tiffany tim timothy tina tobias tobie tod todd tom tomas tomasz tomi toni tonino tony tonya tor \
        torbjorn torsten tove tracey tracy trevor tricia tristan trudi truman tucker tyler udo ulla ulrich ulrike \
        uma umberto una unai upton urs ursula uwe vaclav val valentin valentina valeria valerie valerio vanessa \
        vasco vasily vaughan velma vera verena verna vernon veronica vicenc vicente vicki victor victoria vikas \
        vikram viktor vilem vilhelm vincent viola violet violeta virginia vittorio vivek vivian vladimir vladislav \
        volker wade walker wallace wally walt walter wanda warren wassily wayne wendell wendy werner wes wesley \
        whitney wilbur wilfred wilhelm wilkie will willa william wilma winston wislawa wole wolf wolfgang woody wulf \
        wyndham xavi xavier xenia xinran yaa yael yan yanick yanis yann yasmina yasunari yevgeny yoko yolanda yukio \
        yuri yusuf yuval yves yvette yvonne zach zachary zadie zane zeruya zev zhang zoe zoltan zora
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
