package io.ballast.server.discovery;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.server.discovery.consul.ConsulSource;
import io.ballast.server.discovery.dns.NamesSource;
import io.ballast.server.discovery.dns.SrvSource;
import io.ballast.server.discovery.docker.DockerSource;
import io.ballast.server.discovery.file.BackendFileSource;
import io.ballast.server.discovery.kubernetes.KubernetesSource;
import io.ballast.server.discovery.remote.Pacing;
import io.ballast.server.names.SystemLookup;

/** The sources that a configuration can ask for. */
public final class ConfiguredSources implements SourceFactory {

    @Override
    public Source create(DiscoveryConfig config) {
        if (config instanceof DiscoveryConfig.File file) {
            return new BackendFileSource(file.path());
        }
        if (config instanceof DiscoveryConfig.Names names) {
            return new NamesSource(names.name(), names.port(), SystemLookup.recordsOfProcess(), Pacing.ofSystem());
        }
        if (config instanceof DiscoveryConfig.Srv srv) {
            return new SrvSource(srv.name(), SystemLookup.recordsOfProcess(), Pacing.ofSystem());
        }
        if (config instanceof DiscoveryConfig.Consul consul) {
            return new ConsulSource(consul, Pacing.ofSystem());
        }
        if (config instanceof DiscoveryConfig.Kubernetes kubernetes) {
            return new KubernetesSource(kubernetes, Pacing.ofSystem());
        }
        return new DockerSource((DiscoveryConfig.Docker) config, Pacing.ofSystem());
    }
}
