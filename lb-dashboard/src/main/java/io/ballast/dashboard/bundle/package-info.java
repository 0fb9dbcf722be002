/**
 * Bundles the dashboard page at build time: {@link io.ballast.dashboard.bundle.PageBuild} joins scripts
 * into one file and styles into one file. Maven runs it after the compiler. The jar does not contain this
 * package.
 */
@NullMarked
package io.ballast.dashboard.bundle;

import org.jspecify.annotations.NullMarked;
