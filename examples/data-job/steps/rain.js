import { writeOut } from './csv.js';
import { monthly, sum } from './monthly.js';

writeOut('out/rain.json', JSON.stringify(monthly('rain_mm', sum), null, 2));
