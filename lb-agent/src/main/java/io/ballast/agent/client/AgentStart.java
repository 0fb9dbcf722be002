package io.ballast.agent.client;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.load.LoadSampler;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.Probe;
import io.ballast.net.fetch.CaFile;
import io.ballast.net.fetch.FetchClient;
import io.ballast.net.fetch.FetchClients;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.SplittableRandom;

/** Starts an agent with the clock, the files and the connections of this machine. */
public final class AgentStart {

    private AgentStart() {}

    /**
     * Starts an agent, which owns the control plane from now on.
     *
     * @param probe runs the checks
     * @throws IOException if a file cannot be read or written; the message names it
     */
    public static Agent start(AgentConfig config, ControlPlane control, Probe probe) throws IOException {
        AgentCredentials credentials = AgentCredentials.of(config);
        Optional<CaFile> ca = config.ca().isEmpty()
                ? Optional.empty()
                : Optional.of(CaFile.parse(
                        config.ca().get(), Files.readString(config.ca().get())));
        FetchClient client = new FetchClients().of(ca);
        Agent agent = new Agent(
                config,
                control,
                probe,
                new SplittableRandom(),
                System::nanoTime,
                new LoadSampler(),
                node -> new HttpNodeApi(client, node, credentials, config.token()));
        agent.start();
        return agent;
    }
}
