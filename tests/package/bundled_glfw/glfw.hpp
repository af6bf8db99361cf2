#pragma once

extern "C" int glfwInit();

int calls_of_bundled_glfw();
