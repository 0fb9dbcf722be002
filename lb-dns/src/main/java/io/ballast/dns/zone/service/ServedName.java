package io.ballast.dns.zone.service;

import org.xbill.DNS.Name;

/**
 * A name that a service answers for. A service may have several, which share its choice.
 *
 * @param name absolute
 * @param zone the number of its zone
 * @param index of the name's answers in its zone
 */
public record ServedName(Name name, int zone, int index) {}
