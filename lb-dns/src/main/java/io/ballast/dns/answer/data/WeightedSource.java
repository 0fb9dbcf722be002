package io.ballast.dns.answer.data;

import io.ballast.core.balance.WeightedDraw;
import io.ballast.dns.dnssec.SetSigner;

/** Selects one of several sources by weight for every query. */
final class WeightedSource extends AnswerSource {

    private final AnswerSource[] sources;
    private final WeightedDraw draw;

    WeightedSource(AnswerSource[] sources, WeightedDraw draw) {
        this.sources = sources;
        this.draw = draw;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new WeightedSource(signed(sources, signer, ttlSeconds), draw);
    }

    @Override
    public Answer select(QueryContext context) {
        return sources[draw.member((int) (context.nextRandom() >>> 32))].select(context);
    }
}
