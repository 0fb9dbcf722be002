package io.ballast.server.compose;

import io.ballast.cluster.secret.SecretKind;
import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.dns.config.CookieSecret;
import io.ballast.replication.SecretStateFile;
import io.ballast.replication.SharedSecrets;
import io.ballast.server.reload.GeneratedSecrets;
import io.ballast.server.reload.Publication;
import io.ballast.server.reload.Reloadable.Preparation;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the secrets of the cluster to the DNS cookies, the TLS tickets, and the cookies of sticky sessions and {@code
 * oidc} policies of this process. A secret in the configuration overrides the secret of the cluster.
 *
 * <p>Thread safety: any thread may call any method.
 */
final class SecretChanges {

    private static final Logger LOG = LoggerFactory.getLogger(SecretChanges.class);

    private final Balancer balancer;
    private final GeneratedSecrets generated;
    private volatile SharedSecrets latest;

    /** @param config the configuration with which the process has started */
    SecretChanges(Balancer balancer, BallastConfig config) {
        this.balancer = balancer;
        this.generated = new GeneratedSecrets(config);
        this.latest = SecretStateFile.read(config, balancer.control().clock().instant());
    }

    /** The secrets from which the keys of TLS tickets are derived; empty if the cluster has none. */
    List<String> ticketSecrets() {
        return latest.of(SecretKind.TLS_TICKET);
    }

    /** The secrets of DNS cookies; empty if the cluster has none. */
    List<CookieSecret> cookieSecrets() {
        return latest.of(SecretKind.DNS_COOKIE).stream().map(CookieSecret::new).toList();
    }

    /** Starts to apply the secrets, and returns immediately. */
    void apply(SharedSecrets next) {
        latest = next;
        balancer.control().execute(() -> balancer.dnsPart().shareCookieSecrets(cookieSecrets()));
        balancer.changes().execute(() -> applyToConfig(next));
    }

    private void applyToConfig(SharedSecrets next) {
        ActiveConfig changed = balancer.withFileConfig(generated.replace(balancer.config(), next));
        if (changed.fileConfig().equals(balancer.config())) {
            return;
        }
        try (Preparation ready = BalancerChange.fromOverlay(balancer, changed)) {
            Publication.activate(ready, balancer.control());
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "cluster=secrets_not_applied reason=\"{}\" effect=\"cookies of sticky sessions and oidc use the previous"
                            + " secrets until the next reload\"",
                    ErrorText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
