package io.ballast.dns.zone.service;

import org.xbill.DNS.Name;

/**
 * A name that a service answers for. If a service has several names, they share the same choice of answers.
 *
 * @param name the absolute name
 * @param zone the number of the name's zone
 * @param index the index of the name's answers in its zone
 */
public record ServedName(Name name, int zone, int index) {}
