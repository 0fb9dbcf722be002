/**
 * The keys that zones are signed with: on disk, in memory, and through a rollover.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.key.SigningKey}: a key pair and the records made of it
 *   <li>{@link io.ballast.dns.dnssec.key.KeyTimes}: what a key is used for, and from when to when
 *   <li>{@link io.ballast.dns.dnssec.key.KeyDirectory}: the files of one zone's keys
 *   <li>{@link io.ballast.dns.dnssec.key.ZoneKeys}: the keys of one zone that count at one moment
 *   <li>{@link io.ballast.dns.dnssec.key.Rollover}: the steps from one key to the next
 * </ul>
 *
 * <p>Used by the thread that signs whole zones and by the command line, never while a query is answered.
 */
@NullMarked
package io.ballast.dns.dnssec.key;

import org.jspecify.annotations.NullMarked;
