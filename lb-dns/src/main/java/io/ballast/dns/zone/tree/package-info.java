/**
 * The existing names and their answers, except the addresses of services. {@link
 * io.ballast.dns.zone.tree.NameTree} holds the zones and reuses unchanged ones. For one zone, {@code
 * ZoneNames} finds the names that are stored as objects, {@code ZoneRecords} compiles records into answers,
 * and {@code ZoneCompiler} combines both into a {@link io.ballast.dns.zone.tree.CompiledZone}.
 */
@NullMarked
package io.ballast.dns.zone.tree;

import org.jspecify.annotations.NullMarked;
