/**
 * The configuration of a Ballast process. The subpackages read it from files and print it.
 */
@NullMarked
package io.ballast.config;

import org.jspecify.annotations.NullMarked;
