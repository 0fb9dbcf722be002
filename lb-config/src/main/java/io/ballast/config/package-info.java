/**
 * The configuration of a whole process. The subpackages read it from files and print it.
 */
@NullMarked
package io.ballast.config;

import org.jspecify.annotations.NullMarked;
