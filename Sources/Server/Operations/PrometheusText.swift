import Bounds

/// Formats metrics in the text format of Prometheus, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double) {
        let pairs = labels.map { label, value in "\(label)=\"\(EscapedText.prometheus(value))\"" }
        text += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        family(name, "gauge", help)
        sample(name, [:], value)
    }
}
