#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The address of the server, then the member.
    struct SignInView: View {
        let app: AppModel

        var body: some View {
            @Bindable var model = app.signIn
            NavigationStack {
                Form {
                    switch model.step {
                    case .address, .done:
                        Section("Server") {
                            TextField("books.example.org", text: $model.address)
                                .addressInput()
                            Button("Connect") {
                                Task {
                                    await model.connect(); app.finishSignIn()
                                }
                            }
                            .disabled(model.address.isEmpty || model.isBusy)
                        }
                    case .member:
                        Section("Member") {
                            TextField("Name", text: $model.name)
                                .addressInput()
                            SecureField("Password", text: $model.password)
                        }
                        Section("Or an access token") {
                            SecureField("Token", text: $model.token)
                        }
                        signInButton(model)
                    case .code:
                        Section("Code of your second factor") {
                            TextField("123456", text: $model.code)
                        }
                        signInButton(model)
                    }
                    ErrorText(error: model.error ?? app.error)
                }
                .navigationTitle("Shelf Scanner")
            }
        }

        private func signInButton(_ model: SignInModel) -> some View {
            Section {
                Button("Sign in") {
                    Task {
                        await model.signIn(); app.finishSignIn()
                    }
                }
                .disabled(model.isBusy)
                Button("Other server") { model.reset() }
            }
        }
    }
#endif
