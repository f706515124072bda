/// What the viewfinder says about the next photo.
public enum CameraGuidance: String, CaseIterable, Sendable {
    /// The picture is dark.
    case tooDark
    /// The device moves.
    case holdStill
    /// The device is not level.
    case level
    /// No spine is seen.
    case findShelf
    /// The photo can be taken.
    case ready

    /// Says what to do first.
    ///
    /// - Parameters:
    ///   - brightness: the mean of the frame, 0...1.
    ///   - rotation: how fast the device turns, in radians a second.
    ///   - tilt: of the device from upright, in degrees.
    ///   - spines: the number that a preview of the server has found; nil while there is none.
    public init(brightness: Double, rotation: Double, tilt: Double, spines: Int?) {
        self =
            if brightness < Self.darkest {
                .tooDark
            } else if rotation > Self.fastest {
                .holdStill
            } else if abs(tilt) > Self.steepest {
                .level
            } else if spines == 0 {
                .findShelf
            } else {
                .ready
            }
    }

    // Chosen by what the web app's viewfinder accepts: photos beyond them are read worse.
    private static let darkest = 0.2
    private static let fastest = 0.35
    private static let steepest = 8.0

    /// What to do, also for VoiceOver.
    public var text: String {
        switch self {
        case .tooDark: "Turn on a light."
        case .holdStill: "Hold still."
        case .level: "Hold the phone level."
        case .findShelf: "Point the camera at a shelf."
        case .ready: "Ready."
        }
    }
}
