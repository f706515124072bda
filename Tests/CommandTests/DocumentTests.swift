import DelimitedText
import Foundation
import Terminal
import Testing
import shelflist

@Suite("CSV line") struct CSVLineTests {
    @Test(
        "A CSV line quotes what needs it and disarms formulas",
        arguments: [
            (["a", "b"], "a,b\r\n"),
            (["Dune", ""], "Dune,\r\n"),
            (["Eats, Shoots & Leaves"], "\"Eats, Shoots & Leaves\"\r\n"),
            (["the \"real\" one"], "\"the \"\"real\"\" one\"\r\n"),
            ([" edges "], "\" edges \"\r\n"),
            (["=HYPERLINK(\"http://a\")"], "\"'=HYPERLINK(\"\"http://a\"\")\"\r\n"),
            (["+1"], "'+1\r\n"),
            (["-1"], "'-1\r\n"),
            (["@SUM(A1)"], "'@SUM(A1)\r\n"),
            (["  =1+1"], "'  =1+1\r\n"),
            (["\t=1+1"], "' =1+1\r\n"),
            (["＝1+1"], "'＝1+1\r\n"),
            (["two\r\nlines"], "two  lines\r\n"),
            (["\u{1B}[31mred"], "\u{FFFD}[31mred\r\n"),
        ])
    func csvLine(fields: [String], line: String) {
        #expect(CSVWriter.record(fields.map(TerminalText.safe)) == line)
    }
}

@Suite("JSON layout") struct JSONLayoutTests {
    @Test("JSON is wrapped only if it does not fit on a line")
    func jsonLines() {
        let compact =
            #"{"a":[],"books":[{"quad":[[0.1,0.2],[0.3,0.4]],"title":"a \"b\", {c}: [d]"},{"title":"x"}],"n":1.5,"o":{}}"#
        #expect(
            JSONLayout.indented(compact, width: 40) == #"""
                {
                  "a": [],
                  "books": [
                    {
                      "quad": [[0.1, 0.2], [0.3, 0.4]],
                      "title": "a \"b\", {c}: [d]"
                    },
                    {"title": "x"}
                  ],
                  "n": 1.5,
                  "o": {}
                }
                """#)
    }

    @Test(
        "JSON layout changes only white space",
        arguments: [
            "{}", "[]", "1", "null", #""text""#, #"[[[]],{"a":{}}]"#, #"{"a\\":"\\","b":"\"]"}"#, #"["三体","é","📚"]"#,
            #"{"long":[1111111111,2222222222,3333333333,4444444444,{"deep":[5555555555,true,false,null]}]}"#,
        ], [1, 20, 200])
    func jsonWhitespace(compact: String, width: Int) throws {
        let laidOut = JSONLayout.indented(compact, width: width)
        func value(_ text: String) throws -> NSObject {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            return try #require(value as? NSObject)
        }
        #expect(try value(laidOut) == value(compact))
    }

    @Test("JSON escapes control characters that the standard allows")
    func jsonControlCharacters() {
        #expect(JSONLayout.indented("[\"\u{9B}31m\u{7F}\"]") == #"["\u009b31m\u007f"]"#)
    }
}

@Suite("Names of annotated photos") struct AnnotatedNameTests {
    @Test(
        "Annotated photos have distinct names that are never those of a photo",
        arguments: [
            (["shelf.jpg"], ["out/shelf-annotated.jpg"]),
            (
                ["a/shelf.jpg", "b/shelf.heic", "c/shelf"],
                ["out/shelf-annotated.jpg", "out/shelf-annotated-2.jpg", "out/shelf-annotated-3.jpg"]
            ),
            (["two.dots.png"], ["out/two.dots-annotated.jpg"]),
            (
                ["out/shelf-annotated.jpg", "shelf.jpg"],
                ["out/shelf-annotated-annotated.jpg", "out/shelf-annotated-2.jpg"]
            ),
            (["../out/../out/x-annotated.jpg", "x.jpg"], ["out/x-annotated-annotated.jpg", "out/x-annotated.jpg"]),
        ])
    func annotatedNames(photos: [String], names: [String]) {
        let here = FileManager.default.currentDirectoryPath + "/"
        #expect(AnnotatedNames.names(for: photos, in: "out").map { $0.replacing(here, with: "") } == names)
    }
}
