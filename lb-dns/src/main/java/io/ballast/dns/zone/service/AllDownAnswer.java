package io.ballast.dns.zone.service;

import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.TypeAnswers.Served;
import java.time.Duration;

/**
 * The answer for one type of a service while none of its targets is healthy. Thread safety: confined to the compiler
 * thread.
 */
interface AllDownAnswer {

    /** The TTL of answers without healthy addresses. */
    Duration TTL = Duration.ofSeconds(5);

    /**
     * Stores the last healthy addresses or records if a later answer may need them. Called while at least one
     * target is healthy.
     */
    void remember(PoolView view);

    /** Returns a plain-text description of the applied rule. */
    String reason();

    Served compile(PoolView view, int ttlSeconds);
}
