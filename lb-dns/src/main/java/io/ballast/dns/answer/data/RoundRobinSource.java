package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SetSigner;

/** Uses several sources in turn: each query of a thread uses the next source. */
final class RoundRobinSource extends AnswerSource {

    private final AnswerSource[] sources;
    private final int cursor;

    RoundRobinSource(AnswerSource[] sources, int cursor) {
        this.sources = sources;
        this.cursor = cursor;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new RoundRobinSource(signed(sources, signer, ttlSeconds), cursor);
    }

    @Override
    public Answer select(QueryContext context) {
        return sources[context.advance(cursor, sources.length)].select(context);
    }
}
