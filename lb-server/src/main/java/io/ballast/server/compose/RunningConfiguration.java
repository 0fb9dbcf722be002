package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.view.HiddenSecrets;
import io.ballast.config.yaml.YamlWriter;
import io.ballast.dashboard.source.ConfigurationView;
import java.util.Map;
import java.util.function.Supplier;

/** The active configuration as the dashboard shows it. Any thread may use it. */
public record RunningConfiguration(Supplier<BallastConfig> config) implements ConfigurationView {

    @Override
    public Map<String, Object> tree() {
        return HiddenSecrets.hideSecrets(Forms.tree(config.get()));
    }

    @Override
    public String yaml() {
        return YamlWriter.write(tree());
    }
}
