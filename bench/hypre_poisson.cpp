// hypre's part of bench_amg: PCG preconditioned by BoomerAMG for the 5-point Poisson matrix of n x n unknowns, b = 1,
// x = 0, on as many MPI ranks as it is started on. Rank 0 prints one line of JSON: seconds of set-up and of the
// solve, iterations. --solution FILE: x, n^2 doubles, for whoever judges it.
//
// BoomerAMG as hypre's authors advise for such problems: U. M. Yang, On long-range interpolation operators for
// aggressive coarsening, Numer. Linear Algebra Appl. 17 (2010); A. H. Baker, R. D. Falgout, T. V. Kolev and U. M. Yang,
// SIAM J. Sci. Comput. 33 (2011).
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// hypre's functions return 0, or a sum of error bits.
void require(HYPRE_Int error, const char* what) {
    if (error == 0) return;
    std::array<char, 256> text{};
    HYPRE_DescribeError(error, text.data());
    throw std::runtime_error(fmt::format("{}: {}", what, text.data()));
}

/// The rows of a rank: [begin, end), as many for each as the division allows.
struct Rows {
    HYPRE_BigInt begin, end;

    Rows(int rank, int ranks, HYPRE_BigInt all) : begin(all / ranks * rank), end(all / ranks * (rank + 1)) {
        if (rank + 1 == ranks) end = all;
    }
    HYPRE_Int count() const { return end - begin; }
};

/// A x = b of one rank. Whatever hypre holds ends with the process.
struct System {
    HYPRE_IJMatrix matrix = nullptr;
    HYPRE_IJVector right = nullptr, solution = nullptr;
    HYPRE_ParCSRMatrix A = nullptr;
    HYPRE_ParVector b = nullptr, x = nullptr;
    std::vector<HYPRE_BigInt> row;  ///< of this rank, ascending

    /// 4 on the diagonal and -1 for each neighbour on a grid of n x n points; b = 1, x = 0.
    System(Rows rows, HYPRE_BigInt n) : row(static_cast<std::size_t>(rows.count())) {
        std::iota(row.begin(), row.end(), rows.begin);
        HYPRE_IJMatrixCreate(MPI_COMM_WORLD, rows.begin, rows.end - 1, rows.begin, rows.end - 1, &matrix);
        HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
        const std::vector<HYPRE_Int> at_most(row.size(), 5);
        HYPRE_IJMatrixSetRowSizes(matrix, at_most.data());
        HYPRE_IJMatrixInitialize(matrix);
        for (const HYPRE_BigInt i : row) add_row(i, n);
        require(HYPRE_IJMatrixAssemble(matrix), "matrix");
        void* object = nullptr;
        HYPRE_IJMatrixGetObject(matrix, &object);
        A = static_cast<HYPRE_ParCSRMatrix>(object);
        b = make_vector(rows, right, 1);
        x = make_vector(rows, solution, 0);
    }

  private:
    void add_row(HYPRE_BigInt i, HYPRE_BigInt n) {
        std::array<HYPRE_BigInt, 5> column{};
        std::array<double, 5> value{};
        HYPRE_Int count = 0;
        const auto add = [&](bool inside, HYPRE_BigInt j, double a) {
            if (!inside) return;
            column[static_cast<std::size_t>(count)] = j;
            value[static_cast<std::size_t>(count++)] = a;
        };
        add(i >= n, i - n, -1);
        add(i % n > 0, i - 1, -1);
        add(true, i, 4);
        add(i % n < n - 1, i + 1, -1);
        add(i < n * n - n, i + n, -1);
        HYPRE_IJMatrixSetValues(matrix, 1, &count, &i, column.data(), value.data());
    }

    HYPRE_ParVector make_vector(Rows rows, HYPRE_IJVector& vector, double each) {
        HYPRE_IJVectorCreate(MPI_COMM_WORLD, rows.begin, rows.end - 1, &vector);
        HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
        HYPRE_IJVectorInitialize(vector);
        const std::vector<double> values(row.size(), each);
        HYPRE_IJVectorSetValues(vector, rows.count(), row.data(), values.data());
        require(HYPRE_IJVectorAssemble(vector), "vector");
        void* object = nullptr;
        HYPRE_IJVectorGetObject(vector, &object);
        return static_cast<HYPRE_ParVector>(object);
    }
};

HYPRE_Solver boomer_amg() {
    HYPRE_Solver amg = nullptr;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, 8);  // PMIS
    HYPRE_BoomerAMGSetInterpType(amg, 6);   // extended+i
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetRelaxType(amg, 18);  // l1-Jacobi; Gauss elimination on the coarsest level
    HYPRE_BoomerAMGSetNumSweeps(amg, 1);
    HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
    HYPRE_BoomerAMGSetTol(amg, 0);  // one cycle, whatever it makes of the residual
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_BoomerAMGSetPrintLevel(amg, 0);
    return amg;
}

HYPRE_Solver pcg(HYPRE_Solver preconditioner, double tolerance) {
    HYPRE_Solver cg = nullptr;
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_ParCSRPCGSetMaxIter(cg, 1000);
    HYPRE_ParCSRPCGSetTol(cg, tolerance);
    HYPRE_ParCSRPCGSetTwoNorm(cg, 1);  // |r| <= tolerance |b|, not that of the preconditioned residual
    HYPRE_ParCSRPCGSetPrecond(cg, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, preconditioner);
    return cg;
}

/// Seconds until the last rank is through.
template <class Work>
double timed(const Work& work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
}

/// x of all ranks, one behind the other, into a file.
void write(const System& system, int rank, int ranks, HYPRE_BigInt all, const std::string& file) {
    std::vector<double> part(system.row.size()), whole(rank == 0 ? static_cast<std::size_t>(all) : 0);
    HYPRE_IJVectorGetValues(system.solution, static_cast<HYPRE_Int>(part.size()), system.row.data(), part.data());
    std::vector<int> counts, places;
    for (int k = 0; k < ranks; ++k) {
        const Rows rows(k, ranks, all);
        counts.push_back(rows.count());
        places.push_back(rows.begin);
    }
    MPI_Gatherv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, whole.data(), counts.data(), places.data(),
                MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank != 0) return;
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(whole.data()),
                 static_cast<std::streamsize>(whole.size() * sizeof(double)));
    if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("BoomerAMG-PCG of hypre on the 5-point Poisson matrix");
    HYPRE_BigInt size = 1024;
    double tolerance = 1e-8;
    std::string solution;
    app.add_option("--size", size, "unknowns a side")->check(CLI::Range(1, 40000))->capture_default_str();
    app.add_option("--tolerance", tolerance, "")->capture_default_str();
    app.add_option("--solution", solution, "file for x")->type_name("FILE");
    CLI11_PARSE(app, argc, argv);

    MPI_Init(&argc, &argv);
    HYPRE_Init();
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const System system(Rows(rank, ranks, size * size), size);
    HYPRE_Solver cg = pcg(boomer_amg(), tolerance);
    const double setup = timed([&] { require(HYPRE_ParCSRPCGSetup(cg, system.A, system.b, system.x), "set-up"); });
    const double solve = timed([&] { require(HYPRE_ParCSRPCGSolve(cg, system.A, system.b, system.x), "solve"); });
    HYPRE_Int iterations = 0;
    HYPRE_ParCSRPCGGetNumIterations(cg, &iterations);
    if (!solution.empty()) write(system, rank, ranks, size * size, solution);
    if (rank == 0) {
        fmt::print(R"({{"setup_seconds": {}, "solve_seconds": {}, "iterations": {}}})", setup, solve, iterations);
        fmt::print("\n");
    }
    MPI_Finalize();
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_hypre: {}\n", error.what());
    return 2;
}
