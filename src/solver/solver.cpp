#include <glsolve/solver.hpp>

#include <glsolve/error.hpp>
#include <utility>

#include "base/require_made.hpp"
#include "base/require_range.hpp"
#include "device/backend.hpp"
#include "solver/check_options.hpp"
#include "solver/solver_impl.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What is not square is stored in a square, with zeros where that is longer: there the choice stays free.
Options for_dense(const DenseMatrix& A, Options options) {
    if (options.format == FormatKind::automatic && A.rows == A.columns) options.format = FormatKind::dense;
    return options;
}

/// What is made for a matrix is not to be had for a function.
Options for_function(Options options) {
    if (options.preconditioner != PreconditionerKind::automatic) return options;
    options.preconditioner = options.method == Method::minres ? PreconditionerKind::none : PreconditionerKind::jacobi;
    return options;
}

}  // namespace

template <class Matrix>
Solver::Impl::Impl(Backend& device, Matrix A, Options options)
    : kept(backend_for(device, options).weak_from_this().lock()), backend(backend_for(device, options)) {
    const Stopwatch watch(backend);
    auto system = std::make_shared<CheckedSystem>(std::move(A), options.method);
    take(std::make_unique<MethodChain>(backend, std::move(system), std::move(options)), watch);
}

Solver::Impl::Impl(Backend& device, GlslOperator A, Options asked)
    : kept(backend_for(device, asked).weak_from_this().lock()), backend(backend_for(device, asked)) {
    const Stopwatch watch(backend);
    Options options = for_function(std::move(asked));
    const Session inside(backend);  // the function dies in it where the rest fails
    try {
        function.emplace(backend, std::move(A), options);
        auto system = std::make_shared<CheckedSystem>(function->probe(), options.method);
        take(std::make_unique<MethodChain>(backend, std::move(system), std::move(options), function->structure()),
             watch);
    } catch (...) {
        function.reset();
        throw;
    }
}

Solver::Impl::~Impl() {
    const std::unique_ptr<Session> open = session_if_any(backend);
    textures.reset();
    chain.reset();
    function.reset();
}

void Solver::Impl::take(std::unique_ptr<MethodChain> other, const Stopwatch& watch) {
    other->first().set_up_took(watch.spent());
    textures.reset();
    chain = std::move(other);
}

void Solver::Impl::update_values(std::span<const double> values) {
    if (function) throw InvalidInput("update_values: A is a function in GLSL; set_input gives it other numbers");
    const Stopwatch watch(backend);
    auto system = std::make_shared<CheckedSystem>(chain->system(), values, chain->asked().method);
    take(std::make_unique<MethodChain>(backend, std::move(system), chain->asked(), chain->structure(), chain->ways()),
         watch);
}

void Solver::Impl::probe_again() {
    const Stopwatch watch(backend);
    const Session inside(backend);
    auto system = std::make_shared<CheckedSystem>(function->probe(), chain->asked().method);
    take(std::make_unique<MethodChain>(backend, std::move(system), chain->asked(), function->structure()), watch);
    function->is_known();
}

MethodChain& Solver::Impl::on_vectors() {
    if (function && function->has_changed()) probe_again();
    return *chain;
}

TextureWork& Solver::Impl::on_textures() {
    if (function && function->has_changed() && !chain->first().follows_function()) probe_again();
    return made_textures();
}

TextureWork& Solver::Impl::made_textures() {
    if (!textures) textures.emplace(*chain);
    return textures->work();
}

FunctionFront& Solver::Impl::on_function() {
    if (!function) throw InvalidInput("set_input: A is a matrix; update_values gives it other numbers");
    return *function;
}

Solver::Solver(Device& device, CsrMatrix A, Options options)
    : impl_(std::make_unique<Impl>(device.backend(), std::move(A), std::move(options))) {}
Solver::Solver(Device& device, CsrView A, Options options)
    : impl_(std::make_unique<Impl>(device.backend(), A, std::move(options))) {}
Solver::Solver(Device& device, const DenseMatrix& A, Options options)
    : Solver(device, to_csr(A), for_dense(A, std::move(options))) {}
Solver::Solver(Device& device, GlslOperator A, Options options)
    : impl_(std::make_unique<Impl>(device.backend(), std::move(A), std::move(options))) {}
Solver::Solver() noexcept = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

Solver::Impl& Solver::impl() const { return require_made(impl_, "Solver", "Solver(device, A)"); }

Report Solver::solve(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    return impl().on_vectors().solve(b, x);
}

std::vector<Report> Solver::solve_several(std::span<const double> b, std::span<double> x, int count) {
    const OneCall call = impl().one_call();
    return impl().on_vectors().solve_several(b, x, count);
}

Report Solver::resume(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    const bool other_matrix = impl().function && impl().function->has_changed();
    return impl().on_vectors().solve(b, x, !other_matrix);
}

void Solver::precondition(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    impl().on_vectors().first().precondition(b, x);
}

void Solver::precondition(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    impl().on_textures().precondition(b, x);
}

void Solver::enqueue(const TextureView& b, const TextureView& x, const Budget& budget) {
    const OneCall call = impl().one_call();
    impl().on_textures().enqueue(b, x, budget);
}

std::optional<Report> Solver::poll() {
    const OneCall call = impl().one_call();
    return impl().made_textures().poll();
}

Report Solver::solve(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    return impl().on_textures().solve(b, x);
}

void Solver::warm_up(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    impl().on_textures().warm_up(b, x);
}

void Solver::update_values(std::span<const double> values) {
    const OneCall call = impl().one_call();
    impl().update_values(values);
}

void Solver::set_input(std::string_view name, std::span<const float> numbers) {
    const OneCall call = impl().one_call();
    impl().on_function().set_input(name, numbers, impl().chain->first());
}

void Solver::set_constant(std::string_view name, float value) {
    const OneCall call = impl().one_call();
    impl().on_function().set_constant(name, value, impl().chain->first());
}

void Solver::set_input(std::string_view name, const TextureView& numbers) {
    const OneCall call = impl().one_call();
    impl().on_function().set_input(name, numbers, impl().chain->first());
}

Spectrum Solver::spectrum(int lanczos_steps) const {
    const OneCall call = impl().one_call();
    require_range("spectrum", "lanczos_steps", lanczos_steps, 1, 1 << 12);
    return impl().chain->first().spectrum(lanczos_steps);
}

const MethodChoice& Solver::method() const { return impl().chain->choice(); }
const FormatChoice& Solver::format() const { return *impl().chain->first().structure().format; }
CsrView Solver::matrix() const { return impl().chain->system().A(); }
const HierarchyReport& Solver::hierarchy() const { return impl().chain->first().preconditioner().hierarchy; }
const std::string& Solver::preconditioner_remark() const { return impl().chain->first().preconditioner().remark; }

Report solve(Device& device, CsrView A, std::span<const double> b, std::span<double> x, const Options& options) {
    return Solver(device, A, options).solve(b, x);
}

Report solve(Device& device, const DenseMatrix& A, std::span<const double> b, std::span<double> x,
             const Options& options) {
    return Solver(device, A, options).solve(b, x);
}

std::int64_t default_max_iterations(Index unknowns) { return 100 * std::int64_t{unknowns} + 10000; }

}  // namespace glsolve::inline v0_1
