/**
 * DNS services: names whose answers are balanced over pools. A {@link io.ballast.dns.zone.service.Service}
 * compiles the answers of one name. For each address family it has a tree of {@code Target}s, with one class
 * for each kind of routing, and an {@code AllDownAnswer} that applies while no target is healthy.
 */
@NullMarked
package io.ballast.dns.zone.service;

import org.jspecify.annotations.NullMarked;
