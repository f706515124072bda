/// Common given names in the languages most spines are printed in, folded.
///
/// They tell a person's name from a title.
enum GivenNames {
    static func contains(_ word: String) -> Bool { names.contains(word) }

    private static let names: Set<String> = Set(
        """
        aaron abigail adam adrian agatha agnes aimee alain alan albert alberto alejandro aleksandr alessandro alex \
        alexander alexandra alexandre alexis alfred alice alicia alison allen almudena amanda amelia amy ana anais \
        anders andre andrea andreas andrei andres andrew andy angela angelika angie anita anja ann anna anne annette \
        annie anthony antoine anton antonia antonio antony aravind arnaldur arthur arto arturo arundhati astrid audrey \
        august axel barbara barry bart ben benedict benjamin bernard bernd bernhard bertolt beth betty bill blake bob bonnie \
        boris bram brandon brene brian brigitte bruce bruno bryan camilla camille carl carla carlos carmen carol \
        carolina caroline carson cassandra catherine cecelia celeste celia charles charlie charlotte cheryl chimamanda \
        chloe chris christa christian christina christine christoph christopher chuck cixin claire clara claude \
        claudia clive colin colleen colm colson conan connie conor cormac cornelia courtney craig curtis cynthia dale dan \
        daniel daniela danielle daphne dave david dean deborah dee denis denise dennis derek diana diane dick diego \
        dietmar dolores dominique don donald donna doris dorothea dorothy doug douglas douglass drew eckhart ed edgar edith \
        eduardo edward elena eleanor elfriede eli elias elif elisabeth elizabeth ellen emile emilia emilio emily emma enrique eric \
        erica erich erik erika erin ernest ernst eugene eva eve evelyn ewan fabio fatima federico felix ferdinand \
        fernando fiona florian frances francesca francesco francine francis francisco franck francois francoise frank \
        franz fred frederic frederick frederik friedrich fritz fyodor gabriel gail gary geoff geoffrey george georges \
        gerald gerard gerhard gert giles gillian gina giorgio giovanni giuseppe glenn gloria gordon grace graham \
        greg gregory greta guillaume gunter gunther gustav gustave gustavo guy guillermo hal hanna hannah hans harald harlan harold harper harriet \
        harry haruki heather hector heidi heinrich heinz helen helena helene helga helmut henning henri henrik henry \
        herbert herbie herman hermann hilary hiromi horst howard hubert hugo hunter ian ibrahim ignacio ilse imre ines ingeborg \
        ingrid irene iris irvin isaac isabel isabelle isabella italo ivan jack jacques jaime jakob james jan jana \
        jane janet janice jared jasmin jasmine jason javier jay jean jeanette jeanne jeff jeffrey jen jennifer jenny \
        jens jeremy jerome jerry jesse jessica jesus jhumpa jill jim jo joachim joan joanna joanne jochen jodi joe joel \
        johan johann johanna johannes john johnny jojo jon jonas jonathan jordan jordi jorge jose josef joseph josep josephine \
        joshua joyce juan judith jules julia julian juli julie julien juliet julio jurgen justin kai karen karin karl karin \
        karla kate katharina katherine kathleen kathryn kathy katie katja katrin kay kazuo keith ken kenneth kerstin \
        kevin khaled kim kirsten klaus knut konrad kristin kurt kyle lars laura lauren laurence laurent laurie lawrence \
        lea lee leigh lena leo leon leonardo leonard leonie leonora leslie lev lewis liane lily linda lindsay lindsey lisa lise lothar \
        lou louis louisa louise lorenzo luc luca lucia lucie lucinda lucy ludwig luis luisa luke lutz lydia lynn madeleine maggie \
        malcolm manfred manuel mara marc marcel marcos marcus margaret margarita margit margot marguerite mari maria \
        marian marianne marie marilyn marilynne marina mario marion marisa mark markus marlen marta martha martin martina \
        mary matt matthew matthias maureen maurice max maxim maya megan mehmet melanie melissa mercedes meredith merce \
        mia michael michaela michel michele michelle miguel mikael mike mikhail milan milena miranda miriam mitch moira molly \
        monica monika montserrat morgan muriel nadia nadine naguib nancy naomi natalia natalie natasha nathan nathaniel neal \
        neil nele nelson nicholas nick nicola nicolas nicole niccolo nigel nikolai nina noah noam nora norbert norman nuria octavia \
        olaf olga oliver olivia orhan osamu oscar oskar osvaldo otto pablo pascal pat patricia patrick patti paul paula paulo \
        pedro peggy penelope pep per percy pere peter petra phil philip philippe philippa phillip pia pierre \
        pilar rachel rafael rainer ralf ralph ramon randall raphael raquel ray raymond rebecca reginald reiner reinhard renate rene \
        ricardo richard rick rita rob robert roberto robin rodrigo roger roland rolf roman ron ronald rosa rosario rose \
        rosemary roxane roy rudolf rudyard rupert russell ruth ryan sabine sally salman salvador sam samantha samuel sandra sara \
        sarah saul scott sean sebastian selma sergei sergio shannon sharon sheila sherman shirley siegfried sigmund sigrid silke \
        silvia simon simone slavoj sofia sonja sophia sophie stanislaw stefan stefanie steffen stella stephan stephane \
        stephanie stephen stephenie steve steven stieg sue susan susanna susanne suzanne suzy svetlana sven sylvia sylvie \
        tad tamara tana tanja tara taylor ted terence teresa terry thea theo theodor theodore theresa therese thich thomas thorsten tim timothy \
        tobias todd tom tomas toni tony tracy truman umberto ursula uwe valentina valerie vanessa vasily vera veronica \
        vicente vicki victor victoria vikram viktor vincent viola violet virginia vladimir volker walter wally walt wassily wendy werner \
        wilbur wilhelm will willa william wolf wolfgang xavier yann yasmina yoko yuval yves zadie zoe zora
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
