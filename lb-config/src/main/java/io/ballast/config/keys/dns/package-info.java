/**
 * The keys of {@code dns}: listeners, zones, services, transfers, logs.
 */
@NullMarked
package io.ballast.config.keys.dns;

import org.jspecify.annotations.NullMarked;
