package io.ballast.discovery;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.consul.ConsulSource;
import io.ballast.discovery.dns.NamesSource;
import io.ballast.discovery.dns.SrvSource;
import io.ballast.discovery.docker.DockerSource;
import io.ballast.discovery.file.BackendFileSource;
import io.ballast.discovery.kubernetes.KubernetesSource;
import io.ballast.discovery.names.SystemLookup;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.source.Source;

/** Creates the discovery sources that a configuration contains. */
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
        if (config instanceof DiscoveryConfig.Docker docker) {
            return new DockerSource(docker, Pacing.ofSystem());
        }
        // The process, not this factory, creates the sources of the backends that agents report.
        throw new IllegalArgumentException("discover: there is no source of type " + config.type());
    }
}
