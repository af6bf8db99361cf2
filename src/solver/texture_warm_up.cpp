// What makes frames on textures ready before the first one.
#include "methods/method_table.hpp"
#include "solver/texture_work.hpp"

namespace glsolve::inline v0_1 {

void TextureWork::warm_up(const TextureView& b, const TextureView& x) {
    const Session inside(backend_);
    const TextureWindow from(backend_, b, system_.numbering, TextureUse::read, "b"),
        to(backend_, x, system_.numbering, TextureUse::written, "x");
    const std::vector<Batch> all = batches(b, x);
    const Rehearsal only(backend_);
    with_programs_begun(backend_, [&] { rehearse(all.front(), from, to); });
    // Room for as many outcomes as may be under way.
    std::vector<Ticket> tickets;
    const Storage& results = all.front().runs.residuals(0)->results();
    for (std::size_t k = 0; k < most_pending; ++k) {
        for (int column = 0; column < b.right_hand_sides; ++column)
            tickets.push_back(backend_.read_later(results.id()));
        for (int mark = 0; mark < 4; ++mark) tickets.push_back(backend_.mark_time());
        if (const auto history = all.front().runs.read_history_later()) tickets.push_back(*history);
    }
    for (const Ticket ticket : tickets) backend_.forget(ticket);
    backend_.flush();
}

/// Some frames of which nothing remains.
void TextureWork::rehearse(const Batch& batch, const TextureWindow& from, const TextureWindow& to) const {
    // What is read and written has two textures, which take turns with each frame, with each iteration, or with each
    // look at the residual: odd and even numbers of iterations and of looks, in turn, begin in all states that this
    // makes. From a guess, then from zero.
    const Options& options = system_.options;
    const bool looks = method_row(options.method).is.tests_at_intervals;
    const int frames = looks ? 16 : 8;
    for (int frame = 0; frame < frames; ++frame) {
        const std::int64_t before = looks && frame / 2 % 2 == 1 ? options.test_every : 0;
        DeviceRun run{.columns = batch.count, .iterations = before + 3 - frame % 2, .target = target, .records = true};
        run.begin = [&](int k) { begin(*batch.runs.residuals(k), from, to, k, frame >= frames / 2); };
        run.end = [&](int k, const Scalar& status) {
            DeviceResiduals& residuals = *batch.runs.residuals(k);
            residuals.end(status);
            to.put(residuals.solution(), k, residuals.refused());
        };
        batch.runs.run_on_device(run);
    }
}

}  // namespace glsolve::inline v0_1
