package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.learn.Network;
import io.ballast.dns.learn.NetworkIndex;

/**
 * Selects the best source for the client's network if its response times are known, otherwise the default
 * source. Cost: one hash table lookup.
 */
final class LatencySource extends AnswerSource {

    private final NetworkIndex networks;
    private final byte[] best;
    private final AnswerSource[] sources;

    /**
     * @param best index of the best source in {@code sources} for each position of a network in {@code networks}
     * @param sources the sources; the first one serves unknown networks
     */
    LatencySource(NetworkIndex networks, byte[] best, AnswerSource[] sources) {
        this.networks = networks;
        this.best = best;
        this.sources = sources;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new LatencySource(networks, best, signed(sources, signer, ttlSeconds));
    }

    @Override
    public Answer select(QueryContext context) {
        ClientLocation client = context.location();
        int place = NetworkIndex.UNKNOWN;
        if (!client.isUnknown()) {
            boolean ipv4 = client.isIpv4();
            int bits = ipv4 ? Network.IPV4_BITS : Network.IPV6_BITS;
            client.dependsOn(bits);
            place = networks.find(Network.of(ipv4, client.prefix(bits)));
        }
        return sources[place == NetworkIndex.UNKNOWN ? 0 : best[place]].select(context);
    }
}
