/**
 * The keys that sign zones: on disk, in memory, and during a rollover.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.key.SigningKey}: a key pair and the records derived from it
 *   <li>{@link io.ballast.dns.dnssec.key.KeyTimes}: the timing metadata of a key
 *   <li>{@link io.ballast.dns.dnssec.key.KeyDirectory}: the key files of one zone
 *   <li>{@link io.ballast.dns.dnssec.key.ZoneKeySet}: the keys of one zone in use at one moment
 *   <li>{@link io.ballast.dns.dnssec.key.Rollover}: the steps from one key to the next
 * </ul>
 *
 * <p>Used by the thread that signs whole zones and by the command line, never while a query is answered.
 */
@NullMarked
package io.ballast.dns.dnssec.key;

import org.jspecify.annotations.NullMarked;
