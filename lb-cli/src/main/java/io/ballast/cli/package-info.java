/**
 * Commands of {@code lb} that neither compose nor run a process. They send requests to the API of a running balancer,
 * or work with files only.
 *
 * <p>Package {@code api} is the client of the API, and {@code terminal} formats and draws text. Each other package has the
 * commands for one subject. Commands that consist of one class are in this package.
 */
@NullMarked
package io.ballast.cli;

import org.jspecify.annotations.NullMarked;
