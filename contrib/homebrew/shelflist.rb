# Homebrew formula for macOS on Apple silicon. Not tried: it was written from Homebrew's documentation, and only its syntax
# is checked. There is no release to download yet, so it builds the newest commit:
#   brew install --HEAD ./contrib/homebrew/shelflist.rb
class Shelflist < Formula
  desc "Catalogue of the books on your shelves, from photos"
  homepage "https://github.com/shelflist/shelflist"
  license "Apache-2.0"
  head "https://github.com/shelflist/shelflist.git", branch: "main"

  depends_on "python@3.13" => :build
  depends_on xcode: :build # Swift 6.3
  depends_on arch: :arm64
  depends_on "freetype"
  depends_on "jpeg-turbo"
  depends_on "libheif"
  depends_on "libpng"
  depends_on macos: :sequoia
  depends_on "qrencode"
  depends_on "webp"

  def install
    # Homebrew builds in a sandbox, in which SwiftPM cannot start its own.
    inreplace "Scripts/build.sh", "swift build", "swift build --disable-sandbox"
    system "make", "install", "PREFIX=#{prefix}"
  end

  service do
    run [opt_bin/"shelflist", "serve"]
    keep_alive true
    environment_variables SWIFT_BACKTRACE: "enable=no"
    log_path var/"log/shelflist.log"
    error_log_path var/"log/shelflist.log"
  end

  test do
    system bin/"shelflist", "doctor"
  end
end
