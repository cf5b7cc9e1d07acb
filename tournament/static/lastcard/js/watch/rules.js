// Opened once, the rules open again without a network.

import { keepOffline } from "../outbox/offline.js";

keepOffline();
