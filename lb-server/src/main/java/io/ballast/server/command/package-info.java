/**
 * The commands of {@code lb}, and how they print results.
 */
@NullMarked
package io.ballast.server.command;

import org.jspecify.annotations.NullMarked;
