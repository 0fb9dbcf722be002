@NullMarked
package io.ballast.agent.registry;

import org.jspecify.annotations.NullMarked;
