import Bibliography
import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite("Rows of the first version") struct StoredRowsTests {
    @Test("A library with rows in every JSON column opens, and its actions stay as they were")
    func open() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        try LibraryHistory.make(folder, upTo: "4 scans in their order", rows: Self.rows)
        let store = try LibraryStore(folder: folder)
        #expect(try await store.problems() == [])

        let emma = try #require(try await store.entries(EntryQuery(text: "emma")).entries.first)
        let detail = try await store.entry(emma.id)
        #expect(detail.work.authors == [AuthorCredit(name: "Jane Austen")])
        #expect(detail.edition?.isbn == ISBN("9780141439587"))
        #expect(detail.entry.details.tags == ["gift", "a, b"])
        #expect(detail.entry.details.startedOn == PartialDate(rawValue: "2024-05"))
        #expect(detail.shelf?.name == "Hall")
        #expect(detail.entry.addedAt == Date(timeIntervalSince1970: 1_795_314_246.212))
        let detection = try #require(detail.detections.first)
        #expect(detection.text.map(\.text) == ["JANE AUSTIN", "Enma / “A” \\ B"])
        #expect(detection.text.map(\.score) == [0.91, 0.5])
        #expect(detection.checked)
        #expect(detection.matches.map(\.title) == ["Emma", "Enmity"])
        #expect(detection.matches.map(\.subtitle) == ["A Novel", nil])
        #expect(detection.matches.map(\.isbn) == ["9780141439587", nil])
        #expect(detection.boundingBox == UnitRect(x: 0.1, y: 0.1, width: 0.05, height: 0.8))
        #expect(detection.quad?.corners.map(\.x) == [0.1, 0.15, 0.14, 0.1])
        let activity = try await store.activity()
        #expect(activity.last?.data == ["had_author_change": .flag(true), "had_title_change": .flag(true)])
        #expect(try await store.reviewHistory().map(\.finalTitle) == ["Emma"])

        // That version recorded the rows of its actions otherwise.
        #expect(try await store.undo() == nil)
        _ = try await store.correct(emma.id, to: BookDetails(title: "Emmeline"))
        #expect(try await store.undo()?.kind == .correct)
        #expect(try await store.entry(emma.id).work.title == "Emma")
        #expect(try await store.problems() == [])
    }

    /// Rows written by the version of November 2026; never changed.
    private static let rows = #"""
        INSERT INTO shelf VALUES(1,'Hall','hall');
        INSERT INTO author VALUES(1,'Jane Austin','austin jane','jane austin');
        INSERT INTO author VALUES(2,'Frank Herbert','herbert frank','frank herbert');
        INSERT INTO author VALUES(3,'Jane Austen','austen jane','jane austen');
        INSERT INTO work VALUES(1,'Emma',NULL,NULL,'Jane Austen','emma','austen jane','emma','userEdited',
            1795314246212,1795314265168,2);
        INSERT INTO work VALUES(2,'Dune',NULL,NULL,'Frank Herbert','dune','herbert frank','dune','verified',
            1795314246212,1795314246212,1);
        INSERT INTO workAuthor VALUES(1,0,3,'author');
        INSERT INTO workAuthor VALUES(2,0,2,'author');
        INSERT INTO edition VALUES(1,1,'9780141439587',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
        INSERT INTO entry VALUES(1,1,1,1,'owned',NULL,'read',4.5,'2024-05',NULL,'Ann''s',1795314246212,2);
        INSERT INTO entry VALUES(2,2,NULL,NULL,'owned',NULL,NULL,NULL,NULL,NULL,NULL,1795314246212,1);
        INSERT INTO tag VALUES(1,1,'a, b');
        INSERT INTO tag VALUES(1,0,'gift');
        INSERT INTO photo VALUES(1,NULL,NULL,4000,3000,NULL,1795314246212,NULL);
        INSERT INTO scanPhoto VALUES('file:1',0,1,1795314246212);
        INSERT INTO detection VALUES(1,'file:1',1,'1',1,'entry',0.1,0.1,0.05,0.8,
            '[[0.1,0.1],[0.15,0.11],[0.14,0.9],[0.1,0.89]]','Enma','Jane Austin','9780141439587','Emma',
            'Jane Austen',0.42,'[{"score":0.91,"text":"JANE AUSTIN"},{"score":0.5,"text":"Enma / “A” \\ B"}]',
            '[{"author":"Jane Austen","confidence":0.42,"isbn":"9780141439587","source":"loca' ||
            'l","subtitle":"A Novel","title":"Emma"},{"confidence":0.05,"source":"openlibrary' ||
            '","title":"Enmity"}]','enma|austin',1795314246212);
        INSERT INTO detection VALUES(2,'file:1',1,'2',2,'entry',0.2,0.1,0.05,0.8,
            '[[0.2,0.1],[0.25,0.1],[0.25,0.9],[0.2,0.9]]','Dune','Frank Herbert',NULL,NULL,NULL,0.95,
            '[{"score":1,"text":"DUNE"}]','[]','dune|herbert',1795314246212);
        INSERT INTO detection VALUES(3,'file:1',1,'3',NULL,'skipped',0.3,0.1,0.05,0.8,
            '[[0.3,0.1],[0.35,0.1],[0.35,0.9],[0.3,0.9]]','Dune','Frank Herbert',NULL,NULL,NULL,0.95,'[]','[]',
            'dune|herbert',1795314246212);
        INSERT INTO duplicateDecision VALUES('dune|herbert',2,'skip',1795314246212);
        INSERT INTO reviewAction VALUES(1,'correct',1795314265168,NULL,
            '{"detections":[],"revisionsAfter":[1,2],"tables":{"author":[{"id":["i",1],"name"' ||
            ':"Jane Austin","nameKey":"jane austin","sortName":"austin jane"}],"detection":[{' ||
            '"book":"1","bookKey":"enma|austin","confidence":["r",0.42],"createdAt":["i",1795' ||
            '314246212],"editedAuthor":null,"editedTitle":null,"entry":["i",1],"height":["r",' ||
            '0.8],"id":["i",1],"job":"file:1","lines":"[{\"score\":0.91,\"text\":\"JANE AUSTI' ||
            'N\"},{\"score\":0.5,\"text\":\"Enma / “A” \\\\ B\"}]","matches":"[{\"author\":\"' ||
            'Jane Austen\",\"confidence\":0.42,\"isbn\":\"9780141439587\",\"source\":\"local\' ||
            '",\"subtitle\":\"A Novel\",\"title\":\"Emma\"},{\"confidence\":0.05,\"source\":\' ||
            '"openlibrary\",\"title\":\"Enmity\"}]","outcome":"entry","photo":["i",1],"quad":' ||
            '"[[0.1,0.1],[0.15,0.11],[0.14,0.9],[0.1,0.89]]","readAuthor":"Jane Austin","read' ||
            'ISBN":"9780141439587","readTitle":"Enma","width":["r",0.05],"x":["r",0.1],"y":["' ||
            'r",0.1]}],"edition":[{"binding":null,"cover":null,"id":["i",1],"isbn":"978014143' ||
            '9587","language":null,"pages":null,"publisher":null,"source":null,"sourceID":nul' ||
            'l,"work":["i",1],"year":null}],"entry":[{"addedAt":["i",1795314246212],"edition"' ||
            ':["i",1],"finishedOn":null,"id":["i",1],"lentTo":null,"notes":"Ann''s","ownershi' ||
            'p":"owned","rating":["r",4.5],"reading":"read","revision":["i",2],"shelf":["i",1' ||
            '],"startedOn":"2024-05","work":["i",1]}],"tag":[{"entry":["i",1],"name":"gift","' ||
            'position":["i",0]},{"entry":["i",1],"name":"a, b","position":["i",1]}],"work":[{' ||
            '"authorNames":"Jane Austin","changedAt":["i",1795314246212],"createdAt":["i",179' ||
            '5314246212],"id":["i",1],"reviewStatus":"needsReview","revision":["i",1],"series' ||
            '":null,"sortAuthor":"austin jane","sortTitle":"enma","subtitle":null,"title":"En' ||
            'ma","titleKey":"enma"}],"workAuthor":[{"author":["i",1],"position":["i",0],"role' ||
            '":"author","work":["i",1]}]},"unchanged":[],"works":[1]}');
        INSERT INTO reviewHistory VALUES(1,1,'corrected',1,1,'Enma','Jane Austin','Emma','Jane Austen',1,1,0.42,
            1795314265168);
        INSERT INTO activity VALUES(1,1795314246233,'bookshelf_scan_completed',
            '{"books":3,"needs_review":1,"photos":1}');
        INSERT INTO activity VALUES(2,1795314246601,'review_queue_viewed','{"queue_count":1}');
        INSERT INTO activity VALUES(3,1795314265168,'review_queue_correction_saved',
            '{"had_author_change":true,"had_title_change":true}');
        INSERT INTO workWords (rowid, title, author, isbn) VALUES (1, 'emma', 'jane austen',
            '9780141439587 0141439580');
        INSERT INTO workWords (rowid, title, author, isbn) VALUES (2, 'dune', 'frank herbert', '');
        """#
}
