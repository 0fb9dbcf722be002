package io.ballast.http.policy;

import io.ballast.core.pool.Pool;

/**
 * A request as a backend would get it.
 *
 * @param pool the pool of the request's route
 * @param generation the generation of the topology that selected the pool
 * @param head the head in HTTP/1.1 format with its empty line, without hop-by-hop lines; may be modified
 */
@SuppressWarnings("ArrayRecordComponent") // requests are never compared
public record BackendRequest(Pool pool, int generation, byte[] head) {}
