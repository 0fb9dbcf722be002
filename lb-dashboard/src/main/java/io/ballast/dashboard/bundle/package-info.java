/**
 * The build step of the page: {@link io.ballast.dashboard.bundle.PageBuild} joins the scripts and styles into one
 * file each. Maven runs it after the compiler, and the jar does not contain it.
 */
@NullMarked
package io.ballast.dashboard.bundle;

import org.jspecify.annotations.NullMarked;
