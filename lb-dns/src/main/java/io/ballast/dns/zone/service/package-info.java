/**
 * Names balanced over pools: a {@link io.ballast.dns.zone.service.Service} compiles the answers of one name. For each
 * address family it has a tree of {@code Target}s, one type for each kind of routing, and what applies while nothing
 * is healthy ({@code AllDownAnswer}).
 */
@NullMarked
package io.ballast.dns.zone.service;

import org.jspecify.annotations.NullMarked;
