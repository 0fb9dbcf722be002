/**
 * Zones and services compiled into answers, on the control plane.
 *
 * <p>Start with {@link io.ballast.dns.zone.CompiledZones}, which builds the first table and replaces it when a pool
 * changes; a {@link io.ballast.dns.zone.Service} compiles the answers of one name, a {@link
 * io.ballast.dns.zone.NameTree} finds out which names exist.
 */
@NullMarked
package io.ballast.dns.zone;

import org.jspecify.annotations.NullMarked;
