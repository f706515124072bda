import Bibliography
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads MARCXML (http://www.loc.gov/MARC21/slim), element by element, in the memory of one record.
///
/// Entities outside of the file are never fetched. Elements are told by their local names, so any prefix will do.
final class MARCXMLReader: NSObject, XMLParserDelegate {
    private let sink: BatchSink
    private let parser: XMLParser
    private var record: MARCRecord?
    private var recordLine = 0
    private var field: MARCRecord.Field?
    private var subfieldCode: Character?
    private var text: String?
    private var isStopped = false
    private var readFailure: (any Error)?

    /// A record with more text than this is refused; a thousand times more than any library's.
    private static let recordLimit = 4 << 20
    private var recordSize = 0

    init(_ source: any ByteSource, _ sink: BatchSink) {
        self.sink = sink
        let stream = SourceStream(source)
        parser = XMLParser(stream: stream)
        super.init()
        stream.onFailure = { [weak self] in self?.readFailure = $0 }
        parser.delegate = self
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
    }

    /// - Throws: `ImportFailure`, after everything before the fault was sent.
    func parse() throws {
        let isWellFormed = parser.parse()
        if let readFailure { throw readFailure }
        if !isWellFormed, !isStopped {
            let reason = parser.parserError.map { ($0 as NSError).localizedDescription } ?? "no reason given"
            throw ImportFailure.malformedXML(line: max(1, parser.lineNumber), reason: reason)
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch Self.localName(name) {
        case "record":
            record = MARCRecord()
            recordLine = parser.lineNumber
            recordSize = 0
        case "controlfield":
            field = MARCRecord.Field(tag: attributes["tag"] ?? "")
            text = ""
        case "datafield":
            field = MARCRecord.Field(tag: attributes["tag"] ?? "")
        case "subfield":
            subfieldCode = attributes["code"]?.first
            text = ""
        default:
            break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard text != nil else { return }
        recordSize += string.utf8.count
        if recordSize <= Self.recordLimit { text?.append(string) }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        switch Self.localName(name) {
        case "controlfield":
            field?.value = text ?? ""
            endField()
        case "subfield":
            if let subfieldCode { field?.subfields.append((subfieldCode, text ?? "")) }
            text = nil
        case "datafield":
            endField()
        case "record":
            endRecord()
        default:
            break
        }
    }

    private func endField() {
        if let field { record?.fields.append(field) }
        field = nil
        text = nil
    }

    private func endRecord() {
        guard let record else { return }
        self.record = nil
        if recordSize > Self.recordLimit {
            sink.batch.skip(line: recordLine, "the record has more than \(Self.recordLimit >> 20) MB of text")
        } else {
            sink.append(record.book, line: recordLine)
        }
        if !sink.advance(offset: 0, line: recordLine) {
            isStopped = true
            parser.abortParsing()
        }
    }

    private static func localName(_ name: String) -> Substring {
        name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    }
}

/// Foundation's stream over a byte source, so that gzip files can be parsed too.
private final class SourceStream: InputStream {
    private let source: any ByteSource
    private var status = Stream.Status.notOpen
    var onFailure: ((any Error) -> Void)?

    init(_ source: any ByteSource) {
        self.source = source
        super.init(data: Data())
    }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var hasBytesAvailable: Bool { status == .open }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            let count = try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: maxLength))
            if count == 0 { status = .atEnd }
            return count
        } catch {
            onFailure?(error)
            status = .error
            return 0
        }
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }
}
