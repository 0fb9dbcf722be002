/**
 * Compiles zones and services into answers, in parallel to the control plane.
 *
 * <p>Start with {@link io.ballast.dns.zone.CompiledZones}, which builds the first table from {@link
 * io.ballast.dns.zone.ZoneInputs} and replaces it when a pool changes. The zones of a new configuration
 * replace all current zones at once. {@code LoadedZones} reads and checks zones, and {@code SignatureRenewal}
 * requests new signatures before the old ones expire. The subpackages do not depend on this package:
 *
 * <ul>
 *   <li>{@code contents}: the records of zones in arrays
 *   <li>{@code source}: reads and checks records; depends on {@code contents}
 *   <li>{@code signing}: keys and signers of zones; depends on {@code contents}
 *   <li>{@code tree}: the existing names, and the answers that consist only of records; depends on {@code
 *       contents} and {@code signing}
 *   <li>{@code pool}: the addresses of pools at one moment
 *   <li>{@code service}: names balanced over pools; depends on {@code contents} and {@code pool}
 * </ul>
 */
@NullMarked
package io.ballast.dns.zone;

import org.jspecify.annotations.NullMarked;
