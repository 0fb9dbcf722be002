/**
 * Zones and services compiled into answers, beside the control plane.
 *
 * <p>Start with {@link io.ballast.dns.zone.CompiledZones}, which builds the first table from {@link
 * io.ballast.dns.zone.ZoneInputs} and replaces it when a pool changes; zones of another configuration
 * take the place of these as a whole. {@code LoadedZones} has zones read and judged, {@code
 * SignatureRenewal} has them signed anew in time. The rooms, none of which knows this package:
 *
 * <ul>
 *   <li>{@code contents}: the records of zones in arrays
 *   <li>{@code source}: reading and judging them; knows {@code contents}
 *   <li>{@code signing}: keys and signers of zones; knows {@code contents}
 *   <li>{@code tree}: which names exist, and the answers that are no more than records; knows {@code contents} and {@code
 *       signing}
 *   <li>{@code pool}: what addresses pools have at one moment
 *   <li>{@code service}: names balanced over pools; knows {@code contents} and {@code pool}
 * </ul>
 */
@NullMarked
package io.ballast.dns.zone;

import org.jspecify.annotations.NullMarked;
