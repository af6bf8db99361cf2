/// Includes the complete public interface of glsolve.
#pragma once

#include <glsolve/analyze.hpp>
#include <glsolve/csr.hpp>
#include <glsolve/dense.hpp>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/names.hpp>
#include <glsolve/numpy_files.hpp>
#include <glsolve/operator.hpp>
#include <glsolve/report.hpp>
#include <glsolve/solver.hpp>
#include <glsolve/texture.hpp>
#include <glsolve/version.hpp>
