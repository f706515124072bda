"""The measurements behind Benchmarks/run.sh, which explains them."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import scoring
from assist import measure_assist
from catalog import answers, measure_catalog, spine_texts
from health import measure_health
from labels import measure_labels
from measuring import (BENCH, EXAMPLE, PROGRAM, ROOT, BenchmarkError, Run, machine, peer_environment, photo_scores, quiet, real_photos, say,
                       scan, scan_warm, score)
from online import measure_online
from own import RISK, draft_labels, measure_own, risk
from own_list import measure_own_list
from queue_scale import measure_queue
from report import percent, seconds, table, write, write_column
from serve import measure_serve, measure_serve_memory

STAGES = ["decode", "detect", "recognise", "group", "match"]
ROUNDS = 3
# Other tools match only every n-th spine text: all would take a quarter of an hour.
PEER_STEP = 8


def spread(values):
    return [seconds(figure(values)) for figure in (statistics.median, min, max)]


def accuracy(figures):
    return [percent(figures[name]) for name in ("lines", "recall", "precision", "box", "author")]


ACCURACY = ["lines", "books found", "precision", "box", "author"]
TIMES = ["median", "fastest", "slowest"]


def measure_reading():
    photos = real_photos()
    rows, times = [], []
    for mode in ("off", "auto", "on"):
        results = scan_warm(photos, "--preprocess", mode)
        filtered = sum(photo["preprocessed"] for photo in results)
        rows.append([f"`--preprocess {mode}`", filtered, *accuracy(score(results)),
                     *spread([photo["seconds"] for photo in results])])
        if mode == "auto":
            times.append(results)
    times += [scan_warm(photos) for _ in range(ROUNDS - 1)]

    each, shares = [], {stage: 0.0 for stage in STAGES}
    for runs in zip(*times):
        def middle(of): return statistics.median(map(of, runs))
        megapixels = runs[0]["width"] * runs[0]["height"] / 1e6
        stages = {stage: middle(lambda photo: photo["timings"][stage]) for stage in STAGES}
        for stage in STAGES:
            shares[stage] += stages[stage]
        lines = sum(len(book["text"]) for book in runs[0]["books"]) + len(runs[0]["otherText"])
        each.append([pathlib.Path(runs[0]["path"]).stem, f"{megapixels:.1f}", lines,
                     *(f"{stages[stage]:.2f}" for stage in STAGES), f"{middle(lambda photo: photo['seconds']):.2f}"])
    totals = [float(row[-1]) for row in each]
    total = sum(shares.values())
    write("reading",
          table(["without a catalog", "photos filtered", *ACCURACY, *TIMES], rows),
          f"Each photo (`--jobs 1`, median of {ROUNDS} runs, seconds): median {statistics.median(totals):.2f}, "
          f"fastest {min(totals):.2f}, slowest {max(totals):.2f}.",
          table(["photo", "megapixels", "lines", *STAGES, "all"], each),
          "Share of the time: " + ", ".join(f"{stage} {percent(shares[stage] / total)}" for stage in STAGES) + ".")


def measure_second():
    """Photos of other sources, on which nothing is fitted: by script without a catalog, and with one."""
    labels = BENCH / "second/labels"
    photos = sorted((BENCH / "second/photos").iterdir())
    scripts = {"Latin": (), "Japanese": ("ja_",), "Cyrillic": ("ru_",)}

    def rows(name, *options):
        results = scan_warm(photos, *options)
        scored = photo_scores(results, labels)
        parts = {script: [one for photo, one in zip(photos, scored) if (photo.name.startswith(starts) if starts else
                                                                       not photo.name.startswith(("ja_", "ru_")))]
                 for script, starts in scripts.items()}
        for script, part in [*parts.items(), ("all", scored)]:
            figures = scoring.figures(part)
            accepted = [percent(figures["accepted_recall"]), percent(figures["accepted_precision"])]
            yield [name, script, len(part), figures["legible"], *accuracy(figures),
                   *(accepted if figures["accepted_recall"] else [accepted[0], "–"])]
    write("second", table(["", "letters", "photos", "books", *ACCURACY, "accepted", "of these right"], [
        *rows("no catalog"), *rows("`shelf_books.csv`", "--catalog", BENCH / "second/shelf_books.csv"),
        *rows("`popular_books.csv`, `crossing_books.csv`", *(
            word for name in ("popular", "crossing") for word in ("--catalog", BENCH / f"catalog/{name}_books.csv")))]))


def measure_books():
    photos = real_photos()
    rows, risks, overlaps = [], [], []
    for lists in (["shelf"], ["popular", "crossing"]):
        results = scan_warm(photos, *(word for name in lists for word in ("--catalog", BENCH / f"catalog/{name}_books.csv")))
        scored = photo_scores(results)
        figures = scoring.figures(scored)
        overlaps.append(figures["overlap"])
        rows.append([", ".join(f"`{name}_books.csv`" for name in lists), *accuracy(figures),
                     percent(figures["accepted_recall"]), percent(figures["accepted_precision"]), f"{figures['ece']:.3f}",
                     *spread([photo["seconds"] for photo in results])])
        risks.append([rows[-1][0], *risk(scored)])
    write("books", table(["catalog", *ACCURACY, "accepted", "precision of these", "calibration error", *TIMES], rows),
          f"With the first catalog, the boxes overlap the labelled ones by {percent(overlaps[0])} in the mean.",
          table(["catalog", *RISK], risks))


def measure_peer():
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    compare_with_peer("peer", "bfloat16" if "avx512_bf16" in flags else "AVX-512" if "avx512" in flags else "AVX2")


def measure_avx2():
    if "avx512" not in pathlib.Path("/proc/cpuinfo").read_text():
        raise BenchmarkError("This processor has no AVX-512, so nothing has to be kept from using it.",
                             "run 'Benchmarks/run.sh peer' instead.")
    packages = next(peer_environment().parent.parent.glob("lib/python*/site-packages"))
    with tempfile.TemporaryDirectory() as folder:
        Run([sys.executable, ROOT / "Scripts/avx2/prepare.py", folder, packages / "onnxruntime"])
        limits = {"LD_PRELOAD": f"{folder}/libcpuid.so", "LD_LIBRARY_PATH": folder, "PYTHONPATH": f"{folder}/python"}
        os.environ.update(limits)
        try:
            compare_with_peer("avx2", "AVX2, by switching the rest off")
        finally:
            for name in limits:
                del os.environ[name]


def compare_with_peer(section, kind):
    """Measures both in turns, writes a section, and the column of a kind of processor."""
    photos = real_photos()
    python = peer_environment()
    ours, theirs, loading = [], [], []
    for _ in range(ROUNDS):  # alternating, so that other load on the machine affects both
        run = json.loads(Run([python, ROOT / "Benchmarks/peer.py", EXAMPLE, *photos]).output)
        theirs.append(run["photos"])
        loading.append(run["loadSeconds"])
        ours.append(scan_warm(photos))

    def per_photo(rounds):
        return [statistics.median(photo["seconds"] for photo in runs) for runs in zip(*rounds)]
    mine, peers = per_photo(ours), per_photo(theirs)
    ratios = [peer / own for own, peer in zip(mine, peers)]
    versions = subprocess.run([python, "-m", "pip", "freeze", "--disable-pip-version-check"], check=True,
                              capture_output=True, text=True).stdout
    names = [line.replace("==", " ") for line in versions.splitlines() if line.startswith(("rapidocr", "onnxruntime"))]
    write(section,
          table(["", "lines", *TIMES], [["Shelflist", percent(score(ours[0])["lines"]), *spread(mine)],
                                        [", ".join(names), percent(score(theirs[0])["lines"]), *spread(peers)]]),
          f"Per photo, Shelflist is {statistics.median(ratios):.2f} × as fast (median; {min(ratios):.2f} to "
          f"{max(ratios):.2f}), over all photos {sum(peers) / sum(mine):.2f} ×. Median of {ROUNDS} rounds in turns; "
          "both decode the file, upright by EXIF, and both have read another photo before.",
          table(["photo", "Shelflist", "peer", "ratio"],
                [[photo.stem, seconds(own), seconds(peer), f"{ratio:.2f}"]
                 for photo, own, peer, ratio in zip(photos, mine, peers, ratios)]))
    peaks = [scan([photo]).megabytes for photo in photos]
    spent = {stage: sum(photo["timings"][stage] for photos in ours for photo in photos) for stage in STAGES}
    write_column("processors", kind, {
        "a photo, median": seconds(statistics.median(mine)),
        "the peer, median": seconds(statistics.median(peers)),
        "times as fast, median of the photos": f"{statistics.median(ratios):.2f}",
        "lines": percent(score(ours[0])["lines"]),
        **{f"share of the time: {stage}": percent(spent[stage] / sum(spent.values())) for stage in STAGES},
        "peak memory of one photo, median": f"{statistics.median(peaks):.0f} MB",
        "peak memory of one photo, most": f"{max(peaks):.0f} MB",
        "measured on": machine()})


def measure_filters():
    python = peer_environment()
    with tempfile.TemporaryDirectory() as folder:
        photo = pathlib.Path(folder) / "1920.jpg"
        draw = "import sys; from PIL import Image; i = Image.open(sys.argv[1]); i.thumbnail((1920, 1920)); i.save(sys.argv[2], quality=92)"
        subprocess.run([python, "-c", draw, EXAMPLE, photo], check=True)
        decode = {mode: statistics.median(result["timings"]["decode"]
                                          for result in scan_warm([photo] * 9, "--preprocess", mode))
                  for mode in ("off", "on")}
    write("filters", f"The filters cost {1000 * (decode['on'] - decode['off']):.0f} ms on a photo of 1,920 pixels "
                     f"(decoding with them {1000 * decode['on']:.0f} ms, without {1000 * decode['off']:.0f} ms; "
                     "medians of 9).")


def measure_isolation():
    program = PROGRAM.parent / "measure-decoding"
    if not program.exists():
        raise BenchmarkError(f"There is no {program}.", "run 'Scripts/build.sh measure-decoding' first.")
    photos = real_photos()
    report = json.loads(Run([program, *photos]).output)
    whole = {pathlib.Path(result["path"]).stem: result["seconds"] for result in scan_warm(photos)}
    here, apart, shares = [], [], []
    for photo, times in zip(photos, report):
        here.append(statistics.median(times["here"]))
        apart.append(statistics.median(times["apart"]))
        price = statistics.median(b - a for a, b in zip(times["here"], times["apart"]))
        shares.append(price / whole[photo.stem])
    write("isolation",
          table(["decoding a photo", *TIMES], [["in the process that reads", *spread(here)],
                                               ["in a process of its own", *spread(apart)]]),
          f"This costs {percent(statistics.median(shares))} of the time for a photo (median of {len(photos)} photos, "
          f"at most {percent(max(shares))}; each decoded nine times both ways in turns).")


def measure_start():
    rows = []
    for photo, shape in zip(real_photos()[6:8], ["square", "4 : 3"]):
        scan([photo])  # keeps the compiled models
        fresh, loading, warm = [], [], []
        for _ in range(5):
            run = scan([photo])
            fresh.append(run.wall)
            loading.append(run.wall - run.photos[0]["seconds"])
            warm.append(scan_warm([photo])[0]["seconds"])
        cost = statistics.median(fresh) - statistics.median(warm)
        rows.append([f"{photo.stem} ({shape})", *(seconds(statistics.median(each)) for each in (warm, fresh)),
                     seconds(cost), seconds(statistics.median(loading))])
    write("start", "Medians of 5 runs in turns; compiled models are kept from an earlier process.",
          table(["photo", "in a running process", "fresh process, to its end", "more", "of this before the photo"], rows))


def measure_memory():
    photos, python = real_photos(), peer_environment()
    own = [(photo, scan([photo]).megabytes) for photo in photos]
    heaviest, peak = max(own, key=lambda pair: pair[1])
    rows = [["15 photos, one by one: median", f"{statistics.median(size for _, size in own):.0f} MB"],
            [f"15 photos, one by one: most ({heaviest.stem})", f"{peak:.0f} MB"],
            ["15 photos in one run, `--jobs 1`", f"{scan(photos).megabytes:.0f} MB"],
            ["15 photos in one run, all cores", f"{scan(photos, jobs=None).megabytes:.0f} MB"]]
    with tempfile.TemporaryDirectory() as folder:
        say("Drawing photos of 100 megapixels")
        subprocess.run([python, ROOT / "Benchmarks/large_photos.py", EXAMPLE, folder], check=True)
        large = sorted(pathlib.Path(folder).iterdir())
        for photo in large:
            run = scan([photo])
            size = run.photos[0]["width"] * run.photos[0]["height"] / 1e6
            rows.append([f"{photo.stem} {photo.suffix[1:].upper()} of {size:.0f} megapixels ({seconds(run.wall)})",
                         f"{run.megabytes:.0f} MB"])
        if len(large) > 1:
            worst = sorted(large, key=lambda photo: photo.suffix == ".heic")[-2:]
            run = scan(worst, jobs=2)
            rows.append([f"{' and '.join(photo.name for photo in worst)} at once", f"{run.megabytes:.0f} MB"])
    write("memory", table(["process", "peak resident memory"], rows))


def measure_throughput():
    photos = real_photos()
    walls = [scan(photos, jobs=None).wall for _ in range(ROUNDS)]
    one = [scan(photos).wall for _ in range(ROUNDS)]

    def rate(times): return f"{60 * len(photos) / statistics.median(times):.1f}"
    write("throughput", table(["15 photos in one run", "all", "photos per minute"],
                              [["all cores", seconds(statistics.median(walls)), rate(walls)],
                               ["`--jobs 1`", seconds(statistics.median(one)), rate(one)]]))


def score_matches(answers, truth):
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.writelines(json.dumps(answer) + "\n" for answer in answers)
        file.flush()
        output = subprocess.run([sys.executable, BENCH / "evaluate_matching.py", truth, file.name],
                                check=True, capture_output=True, text=True).stdout
    return json.loads(output.strip().splitlines()[-1])


def measure_matching():
    """Sends each query after the previous answer, to time them separately."""
    python, catalog = peer_environment(), BENCH / "catalog/library_books.csv"
    with tempfile.TemporaryDirectory() as folder:
        truth, queries = spine_texts(folder, PEER_STEP)
        asked = pathlib.Path(folder) / "queries.ndjson"
        asked.write_text("\n".join(queries) + "\n", encoding="utf-8")
        others = json.loads(Run([python, ROOT / "Benchmarks/match_peers.py", asked, catalog]).output)
        every, all_queries = spine_texts(pathlib.Path(folder), 1, "all.csv")
        ours, times = answers(catalog, all_queries)

        def row(name, found, seconds, confident, truth):
            figures = score_matches(found, truth)
            sure = [percent(figures[key]) if confident else "–"
                    for key in ("accepted_share", "accepted_precision", "false_accept")]
            return [name, *(percent(figures[key]) for key in ("top1", "top5", "top50")), *sure,
                    f"{1000 * statistics.median(seconds):.1f} ms"]
        ours = [json.loads(answer) for answer in ours]
        rows = [row("Shelflist, all texts", ours, times, True, every),
                row(f"Shelflist, every {PEER_STEP}th", ours[::PEER_STEP], times[::PEER_STEP], True, truth)]
        rows += [row(f"{name}, every {PEER_STEP}th", other["answers"], other["seconds"], False, truth)
                 for name, other in others.items()]
    write("matching", table(["", "first is right", "among 5", "among 50", "accepted", "of these right",
                             "accepted though in no catalog", "median of a query"], rows))


def measure_shelves():
    photos = real_photos()
    catalogs = [word for name in ("shelf", "library", "popular", "crossing")
                for word in ("--catalog", BENCH / f"catalog/{name}_books.csv")]
    results = scan_warm(photos, *catalogs)
    figures = score(results)
    match = [photo["timings"]["match"] for photo in results]
    write("shelves", table([*ACCURACY, "accepted", "precision of these", "calibration error", "match: median", "most"],
                           [[*accuracy(figures), percent(figures["accepted_recall"]),
                             percent(figures["accepted_precision"]), f"{figures['ece']:.3f}",
                             seconds(statistics.median(match)), seconds(max(match))]]))


def library_times(*options):
    """The seconds of each operation of a generated library, and a row for each of the repeated ones."""
    program = PROGRAM.parent / "measure-library"
    if not program.exists():
        raise BenchmarkError(f"There is no {program}.", "run 'Scripts/build.sh measure-library' first.")
    times = json.loads(Run([program, *options]).output)
    rows = [[name, f"{1000 * statistics.median(values):.1f} ms", f"{1000 * min(values):.1f} ms"]
            for name, values in sorted(times.items()) if name not in ("import", "list")]
    return times, rows


def measure_places():
    times, rows = library_times("--shelves", "200")
    write("places", table(["10,000 books on 200 shelves", "median", "fastest"], rows),
          f"Adding the shelves and a photo of each took {seconds(times['import'][0])}.")


def measure_large():
    times, rows = library_times("--large", "--rounds", "9")
    _, stocktake = library_times("--stocktake", "--rounds", "3")
    write("large", table(["50,000 copies on 2,444 shelves", "median processor time", "least"], rows),
          table(["a stocktake of all of them", "median", "least"], stocktake),
          f"Importing the list of the copies took {seconds(times['import'][0])}.")


def measure_library():
    photo = real_photos()[6]
    times, rows = library_times("--photo", photo)
    write("library", table(["10,000 books, 100 to a photo", "median", "fastest"], rows),
          f"Importing the 10,000 books from scans took {seconds(times['import'][0])}, as many rows of a list "
          f"{seconds(times['list'][0])}; spines are cut from {photo.stem}.")


def web_table(name):
    """Returns the table that a measurement of the web app prints, with its header."""
    with quiet():
        output = subprocess.run([ROOT / "Scripts/web/measure.sh", name], check=True, capture_output=True, text=True).stdout
    return output[output.index("| what"):].strip()


def measure_web():
    """Measures the app alone and its overlay with the real reader, as one table."""
    write("web", web_table("app") + "\n" + "\n".join(web_table("live").splitlines()[2:]))


def measure_review():
    write("review", web_table("review"))


def measure_flows():
    write("flows", web_table("flows"))


MEASUREMENTS = {"second": measure_second, "reading": measure_reading, "books": measure_books, "matching": measure_matching,
                "shelves": measure_shelves, "own-list": measure_own_list, "peer": measure_peer, "avx2": measure_avx2, "filters": measure_filters, "start": measure_start,
                "isolation": measure_isolation,
                "memory": measure_memory, "throughput": measure_throughput, "library": measure_library, "places": measure_places, "large": measure_large, "health": measure_health, "labels": measure_labels,
                "catalog": measure_catalog, "online": measure_online, "assist": measure_assist, "serve": measure_serve,
                "serve-memory": measure_serve_memory, "queue": measure_queue, "web": measure_web,
                "review": measure_review, "flows": measure_flows}


# Those of a folder of one's own, which are printed only.
OWN = {"own": measure_own, "drafts": draft_labels}


def main(names):
    with tempfile.TemporaryDirectory() as data:
        # Nothing but the starter list is known, whatever the user has imported.
        os.environ["SHELFLIST_DATA"] = data
        if names and names[0] in OWN:
            if len(names) < 2:
                raise BenchmarkError(f"'{names[0]}' needs a folder.", f"write: Benchmarks/run.sh {names[0]} FOLDER")
            return OWN[names[0]](*names[1:])
        return measure(names)


def measure(names):
    unknown = [name for name in names if name != "all" and name not in MEASUREMENTS]
    if unknown:
        raise BenchmarkError(f"There is no measurement '{unknown[0]}'.", f"use one or more of: all, {', '.join(MEASUREMENTS)}.")
    real_photos()
    for name in MEASUREMENTS if not names or "all" in names else names:
        say(name)
        MEASUREMENTS[name]()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BenchmarkError as error:
        sys.exit(f"benchmark: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"benchmark: {error}\n{error.stderr or ''}")
