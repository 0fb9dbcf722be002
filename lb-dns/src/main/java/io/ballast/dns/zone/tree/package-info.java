/**
 * Which names exist, and what they answer besides the addresses of services. {@link io.ballast.dns.zone.tree.NameTree}
 * holds the zones and takes over those that have not changed. For one zone, {@code ZoneNames} tells the names that are
 * more than their records, {@code ZoneRecords} makes answers of records, and {@code ZoneCompiler} makes a
 * {@link io.ballast.dns.zone.tree.CompiledZone} of both.
 */
@NullMarked
package io.ballast.dns.zone.tree;

import org.jspecify.annotations.NullMarked;
