/**
 * The commands of {@code lb}, and the formatting of their results.
 */
@NullMarked
package io.ballast.server.command;

import org.jspecify.annotations.NullMarked;
