#if canImport(SwiftUI) && canImport(UIKit)
    import AVFoundation
    import ShelfScannerCore
    import SwiftUI
    import UIKit

    /// The picture of the camera with a shutter; a hint leads to the settings where the camera is not allowed.
    struct CameraView: View {
        let capture: CaptureModel
        @State private var camera = CameraController()
        @Environment(\.openURL) private var openURL

        var body: some View {
            Group {
                if camera.isDenied {
                    VStack {
                        Text("The camera is not allowed.")
                        Button("Open Settings") {
                            if let url = URL(string: UIApplication.openSettingsURLString) { openURL(url) }
                        }
                    }
                } else {
                    ZStack(alignment: .bottom) {
                        CameraPicture(session: camera.session)
                        Button {
                            Task { if let jpeg = await camera.takePhoto() { capture.captured(jpeg) } }
                        } label: {
                            Image(systemName: "circle.inset.filled").font(.largeTitle)
                        }
                        .disabled(!capture.hasRoom)
                        .accessibilityLabel("Take a photo")
                    }
                }
            }
            .task {
                await camera.start()
                for await frame in camera.frames {
                    await capture.see(
                        brightness: frame.brightness, rotation: frame.rotation, tilt: frame.tilt, frame: frame.jpeg)
                }
            }
            .onDisappear { camera.stop() }
        }
    }

    /// The layer of the camera's picture.
    struct CameraPicture: UIViewRepresentable {
        let session: AVCaptureSession

        final class LayerView: UIView {
            override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
        }

        func makeUIView(context: Context) -> LayerView {
            let view = LayerView()
            if let layer = view.layer as? AVCaptureVideoPreviewLayer {
                (layer.session, layer.videoGravity) = (session, .resizeAspect)
            }
            return view
        }

        func updateUIView(_ view: LayerView, context: Context) {}
    }
#elseif canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    #if canImport(UniformTypeIdentifiers)
        import UniformTypeIdentifiers
    #endif

    /// In place of the camera: a photo from a file.
    struct CameraView: View {
        let capture: CaptureModel
        @State private var showsFiles = false

        var body: some View {
            Button("Choose a photo") { showsFiles = true }
                .fileImporter(isPresented: $showsFiles, allowedContentTypes: [.image]) { capture.choose($0) }
        }
    }
#endif
