/**
 * The configuration of a whole process. Packages below read it from files and print it.
 */
@NullMarked
package io.ballast.config;

import org.jspecify.annotations.NullMarked;
