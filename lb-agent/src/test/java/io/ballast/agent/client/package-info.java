@NullMarked
package io.ballast.agent.client;

import org.jspecify.annotations.NullMarked;
