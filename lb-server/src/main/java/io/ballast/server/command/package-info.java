/**
 * The commands of {@code lb} that compose, check or replace a process; module {@code lb-cli} has the other commands.
 */
@NullMarked
package io.ballast.server.command;

import org.jspecify.annotations.NullMarked;
