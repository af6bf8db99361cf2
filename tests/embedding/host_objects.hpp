/// What a program has of its own in OpenGL: objects of all kinds, how they are recognised, and textures that hold a
/// mark.
#pragma once

#include <GL/glew.h>

#include <map>
#include <string>
#include <vector>

/// Of a check of the program's.
struct Failure {
    std::string what;
};

void require(bool holds, const std::string& what);

/// A kind of object, and how to make, to recognise and to delete one.
struct Kind {
    const char* name;
    bool shared;  // by contexts that share objects
    GLuint (*make)(float mark);
    GLboolean (*is)(GLuint);
    void (*end)(GLuint);
};

/// All there are; textures are the first.
const std::vector<Kind>& kinds();

/// Of 4 x 4 texels, R32F, which all hold the mark.
GLuint make_texture(float mark);

using Names = std::map<const Kind*, std::map<GLuint, float>>;  // with the mark that a texture holds

/// Throws Failure where the texture no longer holds its mark.
void check_texels(GLuint texture, float mark);
