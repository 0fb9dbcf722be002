/**
 * Zones and services compiled into answers, beside the control plane.
 *
 * <p>Start with {@link io.ballast.dns.zone.CompiledZones}, which builds the first table and replaces it when a pool
 * changes; a {@link io.ballast.dns.zone.Service} compiles the answers of one name, a {@link
 * io.ballast.dns.zone.NameTree} finds out which names exist, and {@link io.ballast.dns.zone.StoredZones} stores those that are
 * no more than their records. {@link io.ballast.dns.zone.ZoneContents} are the records of one zone.
 */
@NullMarked
package io.ballast.dns.zone;

import org.jspecify.annotations.NullMarked;
