/**
 * The commands {@code lb dns} and {@code lb dnssec}.
 */
@NullMarked
package io.ballast.server.command.dns;

import org.jspecify.annotations.NullMarked;
